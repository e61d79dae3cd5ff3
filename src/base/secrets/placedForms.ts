import { type Form, type FoundSecret, kindOf, ranks } from "./finding.ts";
import { isMemberBelow, nameSort } from "./secretNames.ts";

/** The kind of what is a password by its name. */
export const password = kindOf("password", ranks.written);
/** The kind of what is another secret by its name. */
export const secretValue = kindOf("secret value", ranks.written);

/** Whether a value under a name of this sort is a secret. */
export type Accepts = (sort: "password" | "other", value: string, isQuoted: boolean) => boolean;

/** The end of a value without quotes; the brackets are those of our marks. */
export const ends = String.raw`\s"'${"`"}\\,;&<>(){}[\]|\u27E6\u27E7`;
export const quote = String.raw`\\{0,3}["'${"`"}]`;
const value = String.raw`(?:(?<open>${quote})(?<quoted>(?:(?!\k<open>)[^\r\n\u27E6\u27E7]){1,2000})(?=\k<open>)|(?<bare>[^${ends}]{1,20000}))`;
/** One that something has to follow: each of its lengths is tried. */
const shortValue = value.replaceAll(/20{3,4}(?=\})/g, "200");
const label = String.raw`[\w.-]{1,80}(?: [\w.-]{1,40}){0,3}`;
/** The members of an object that name what its other member holds, and that member. */
const namers = "name|key|id|header|variable|field|env|parameter|setting";
const holders = "value|val|default";
const between = String.raw`(?:${quote})?\s{0,3}[:=]\s{0,3}`;
/** Blanks, also those that JSON escapes. */
const blanks = String.raw`(?:\s|\\[nrt]){0,40}`;
const next = String.raw`(?:${quote})?,?${blanks}(?:${quote})?`;
/** How markup begins and ends its tags, also where it is escaped. */
const open = String.raw`(?:<|&lt;|\\u003[cC])`;
const close = String.raw`(?:>|&gt;|\\u003[eE])`;
const content = String.raw`(?:<!\[CDATA\[)?\s{0,40}(?<bare>(?:(?!${open})[^<>\s\]\u27E6\u27E7]){1,20000})(?=\s{0,40}(?:\]\]>)?\s{0,40}${open}/`;

/** Programs that take a password behind an option of few letters; `-u` of curl takes the user before it. */
const programs: readonly (readonly [program: string, pattern: RegExp])[] = [
	["curl", option("-[uU]|--user|--proxy-user", String.raw`[^\s:"'${"`"}\\]{1,200}:`, true)],
	["sshpass", option("-p", "", true)],
	["redis-cli", option("-a", "", false)],
	["login", option("-p", "", false)],
	["mysql", /(?<=\s)-p(?:\\{0,3}["'`])?(?<secret>[^\s"'`\\]{2,1000})/g],
];
/** How far before its option the name of a program is looked for. */
const commandLength = 1000;

function option(names: string, user: string, isAttached: boolean): RegExp {
	const gap = isAttached ? String.raw`(?:[ \t]{0,3}|=)` : String.raw`(?:[ \t]{1,3}|=)`;
	return new RegExp(
		String.raw`(?<=\s)(?:${names})${gap}(?:${quote})?${user}(?<secret>[^\s"'${"`"}\\\u27E6\u27E7]{1,1000})`,
		"g",
	);
}

/**
 * Secrets by names that are apart from them: options of a command, the other member of a pair, the tag around them, or the
 * object that they are members of. `accepts` decides whether a value counts.
 */
export function placedForms(accepts: Accepts): readonly Form[] {
	const named = (match: RegExpExecArray, secret: string): boolean => {
		const { name = "", quoted } = match.groups ?? {};
		const sort = nameSort(name);
		if (sort === undefined || plain(secret) === plain(name)) return false;
		// A label of several words may belong to an action: `Reset Password`, `reset_password`.
		if (name.includes(" ") && !/\d/.test(secret)) return false;
		return accepts(sort, secret, quoted !== undefined);
	};
	const form = (pattern: string, hints?: readonly string[]): Form => ({
		kind: secretValue,
		...(hints !== undefined && { hints }),
		pattern: new RegExp(pattern, "gi"),
		accepts: named,
	});
	const valued = ["value", "Value", "VALUE", "val", "default"];
	const tags = ["</", "&lt;/", String.raw`\u003c/`, String.raw`\u003C/`];
	return [
		{
			kind: secretValue,
			pattern: new RegExp(String.raw`(?<![\w-])--?(?<name>[A-Za-z][\w-]{1,60})[ \t]{1,3}${value}`, "g"),
			// Words behind an option are more likely a description of it.
			accepts: (match, secret) =>
				!secret.startsWith("-") &&
				secret.length > 2 &&
				(match.groups?.["quoted"] !== undefined || !isWords(secret)) &&
				named(match, secret),
		},
		...programs.map(([program, pattern]): Form => ({
			kind: password,
			hints: [program],
			pattern,
			accepts: ({ input, index, 0: whole }, secret) => {
				const before = input.slice(Math.max(0, index - commandLength), index);
				const at = before.lastIndexOf(program);
				if (at === -1 || /[^\\\r][\r\n]/.test(before.slice(at))) return false;
				return !/^[<$%{*]|^x+$/i.test(secret) && !/\s["'`]?\d+:\d+$/.test(whole);
			},
		})),
		form(
			String.raw`(?<![\w-])(?:${namers})${between}(?:${quote})?(?<name>${label})${next}(?:${holders})${between}${value}`,
			valued,
		),
		form(
			String.raw`(?<![\w-])(?:${holders})${between}${shortValue}(?=${next}(?:${namers})${between}(?:${quote})?(?<name>${label})(?:${quote}|$|[\s,}/>]))`,
			valued,
		),
		form(
			String.raw`${open}(?<tag>(?:[\w-]{1,40}:)?(?<name>[A-Z][\w.-]{1,60}))(?:\s[^<>]{0,500}?)?${close}${content}\k<tag>)`,
			tags,
		),
		form(
			String.raw`\b(?:${namers})=(?:${quote})?(?<name>${label})(?:${quote})?(?:\s[^<>]{0,200}?)?${close}${content}[\w:-])`,
			tags,
		),
		form(
			String.raw`${open}(?<namer>${namers})${close}(?<name>${label})${open}/\k<namer>${close}${blanks}${open}[\w-]{1,40}${close}${content}[\w:-])`,
			tags,
		),
		{
			kind: secretValue,
			hints: ["{", "["],
			pattern: new RegExp(String.raw`(?:${quote})(?<name>[\w.-]{1,80})(?:${quote})\s{0,3}:\s{0,3}[{[]`, "g"),
			places: (match) => membersBelow(match, accepts),
		},
	];
}

const member = new RegExp(
	String.raw`(?:\s{0,40},)?\s{0,80}(?:${quote}(?<key>[^"'${"`"}\\\r\n]{1,100})${quote}\s{0,3}:\s{0,3})?(?:(?<open>${quote})(?<quoted>(?:(?!\k<open>)[^\r\n]){0,4000})\k<open>|[\w.+-]{1,40})`,
	"y",
);

/** The texts of an object or a list under the name of a secret, up to the first nested one. */
function membersBelow({ input, index, groups, 0: whole }: RegExpExecArray, accepts: Accepts): readonly FoundSecret[] {
	const { name = "" } = groups ?? {};
	const sort = nameSort(name);
	if (sort === undefined) return [];
	const found: FoundSecret[] = [];
	member.lastIndex = index + whole.length;
	for (let part = member.exec(input); part !== null; part = member.exec(input)) {
		const { key, quoted, open: sign = "" } = part.groups ?? {};
		if (key !== undefined && isSchemaMember(key, quoted)) return [];
		if (quoted === undefined || isMark(quoted)) continue;
		const isOne = key === undefined ? !isWords(quoted) : isMemberBelow(key, quoted);
		if (!isOne || !accepts(sort, quoted, true)) continue;
		const end = part.index + part[0].length - sign.length;
		found.push({ start: end - quoted.length, end, kind: secretValue, name });
	}
	return found;
}

/** Whether a member says that what it is in is the schema of a value rather than a value. */
export function isSchemaMember(key: string, text: unknown): boolean {
	if (/^(?:\$ref|properties|anyOf|oneOf|allOf|enum|minLength|maxLength|writeOnly)$/.test(key)) return true;
	return (
		key === "type" && typeof text === "string" && /^(?:string|number|integer|object|array|boolean|null)$/.test(text)
	);
}

function isMark(text: string): boolean {
	return /^\u27E6[^\u27E6\u27E7]*\u27E7$/.test(text);
}

/** Whether a text consists of words and of what joins them. */
function isWords(text: string): boolean {
	return /^[\p{L}._/!?:,-]+$/u.test(text);
}

/** A text by its letters and digits alone. */
function plain(text: string): string {
	return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}
