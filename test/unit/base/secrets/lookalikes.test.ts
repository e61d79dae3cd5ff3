/**
 * Values that are not secrets are kept, so that traces, mock servers and exports are useful; and common short names are
 * known (SEC-02).
 */
import { expect, it } from "vitest";
import { openAi } from "./secretCorpus.ts";
import { knowsNone, SafeWriter } from "../../../../src/base/secrets/writer.ts";

const written = (value: object): object => new SafeWriter(knowsNone).json(value);

it.each([
	["the name of a tool", { name: "listS3BucketsInOrganization" }],
	["a method", { method: "describeEC2InstancesInRegion" }],
	["a class", { text: "at Base64EncoderOutputStream.write" }],
	["a place on a map, a pin of a board", { pin: 13 }],
	["a time code", { timeCode: "00:01:02:03" }],
	["an option of fetch", { credentials: "include" }],
	["a folder of a shell", { PWD: "/work/app", OLDPWD: "/work" }],
])("%s is written unchanged", (_what, value) => {
	expect(written(value)).toEqual(value);
});

it("names of members are not treated as secrets", () => {
	const value = {
		listS3BucketsInOrganization: 1,
		listS3ObjectsInOrganizations: 2,
		[openAi]: 3,
		[openAi.toUpperCase() + openAi]: 4,
	};
	expect(Object.keys(written(value))).toHaveLength(4);
});

it.each([[["--sort-key", "name"]], [["--tls-key", "server.pem"]], [["--primary-key", "id"]]])(
	"%s is not a secret in a command",
	(words) => {
		expect(new SafeWriter(knowsNone, { context: "entry" }).words(words)).toEqual(words);
	},
);

it.each([
	["the commonest short name", { pass: "hunter2xyz9" }],
	["of SMTP", { SMTP_PASS: "hunter2xyz9" }],
	["in an env file", { text: "DB_PASS=hunter2xyz9" }],
	["of ODBC", { text: "Driver={ODBC};UID=app;PWD=hunter2xyz9" }],
	["a key of an app", { DD_APP_KEY: "hunter2xyz9hunter2xyz9" }],
	["a key of a consumer", { consumer_key: "hunter2xyz9hunter2xyz9" }],
])("a secret is removed: %s", (_what, value) => {
	expect(JSON.stringify(written(value))).not.toContain("hunter2xyz9");
});

it.each([
	["in an address", (rest: string) => `https://h/?access_token=${rest}`],
	["in a header of a log", (rest: string) => `Cookie: sid=${rest}`],
	["in JSON", (rest: string) => `{"password":"${rest}"}`],
])("a long secret is removed to its end: %s", (_what, text) => {
	const secret = `${"aB3-x9_Q".repeat(3000)}THE-END-9`;
	expect(JSON.stringify(written({ text: text(secret) }))).not.toContain("THE-END-9");
});
