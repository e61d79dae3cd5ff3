/**
 * Values in which secrets are between `«` and `»`, and values that only look like secrets. Assembled at run time, so
 * that no scanner reports them.
 */
const hex = "0123456789abcdef";
const mixed = "Zx9kQ2mP7rT4vW8yB3nC6dF1gH5jK";
export const databricks = `dapi${hex.repeat(2)}`;
export const supabase = `sbp_${hex.repeat(2)}01234567`;
export const openAi = `sk-${mixed}`;

/** Name, value, and `entry` for values that count only in the entry of a server. */
export const secretCorpus: readonly (readonly [name: string, value: string, where?: "entry"])[] = [
	["", `the key «${databricks}» works`],
	["", `«${supabase}»`],
	["", `key «${openAi}»`],
	["", "postgres://admin:«hunter2»@db.example:5432/app"],
	["DATABASE_URL", "postgres://admin:«pw»@${env:DB_HOST}/app"],
	["", "mongodb+srv://me:«Tr0ub4dor»@cluster0.example.net/db"],
	["", "redis://:«s3cr»@cache:6379"],
	["", "amqp://guest:«a1»@mq"],
	["", "jdbc:postgresql://db/app?user=me&password=«abc»&ssl=true"],
	["", "Server=db;Database=app;User Id=sa;Password=«pw1»;Encrypt=true"],
	["", "--db=postgres://u:«p»@h"],
	["", "X_PASSWORD=«ab»"],
	["", "--api-key=«k1»"],
	["", `--api-key=«${openAi}»\${env:X:-}`],
	["", `https://h.example/mcp?access_token=«${hex}»&page=2`],
	["location", "https://h.example/cb?access_token=«abc»"],
	["", "api://search?query=a%3D1%26token%3D«x»"],
	["", `https://h.example/mcp?key=«abc1»`, "entry"],
	["", `https://h.example/s/«${mixed}»/mcp`],
	["", `https://h.example/s/«a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6»/sse`, "entry"],
	["X-Authorization", "«letmein1»"],
	["Api-Key", "«abc»"],
	["Cookie", "«session=1»"],
	["Authorization", `Bearer «${openAi}»\${env:X:-}`],
	["", "X-Authorization: «abc»"],
	["", "curl -H 'Api-Key: «abc»' https://h.example"],
	["subscription_key", "«abc»"],
	["account_key", "«abc»"],
	["pin", "«1234»"],
	["otp", "«12 34»"],
	["DB_PASSWORD", "«ab»"],
	["", '{"password":"«abc»","user":"me"}'],
	["", '{"pin": «1234», "max_tokens": 4096}'],
	["", String.raw`{\"token\":\"«abc»\",\"user\":\"me\"}`],
	["", `word «${mixed}» word`],
];

export const lookalikeCorpus: readonly (readonly [name: string, value: string])[] = [
	["OLDPWD", "/home/me/app"],
	["PWD", "/home/me"],
	["secretary", "Ada Lovelace"],
	["token_count", "128"],
	["max_tokens", "4096"],
	["author", "Ada"],
	["authority", "https://login.example"],
	["next_page_token", "CAUQAA"],
	["secret_name", "prod/db"],
	["pinned", "true"],
	["keyboard", "qwertz"],
	["API_KEY", ""],
	["USE_TOKEN", "true"],
	["password", "${input:password}"],
	["", "token_count=5&max_tokens=3&author=me"],
	["", "The secretary of the author has 5 tokens."],
	["", "https://example.org/a/b?page=2&sort=asc&id=8f14e45fceea167a"],
	["", "mem://item/550e8400-e29b-41d4-a716-446655440000"],
	["", "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
	["", "https://${env:USER}@h.example/"],
	["", "postgres://admin:${env:PW}@h/app"],
	["", "git@github.com:me/app.git"],
	["", '{"password": {"type": "string"}, "token": null}'],
	["", "const token = await getToken(session1);"],
	["", "password = process.env.DB1_PASSWORD"],
	["", "12:30: the time, a: b"],
];
