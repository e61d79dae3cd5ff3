import { expect, test } from "vitest";
import { HostError } from "../../../../src/base/errors.ts";
import { fileFailure } from "../../../../src/features/resources/fileFailure.ts";

function answered(code: number): HostError {
	return new HostError("protocol", "x", { cause: Object.assign(new Error("from the server"), { code }) });
}

test.each([
	["the code of older revisions for a resource that is not there", answered(-32002), "not-found"],
	["the code of newer ones", answered(-32602), "not-found"],
	["one that another error wraps", new HostError("protocol", "x", { cause: answered(-32002) }), "not-found"],
	["a server that does not run", new HostError("not-connected", "x"), "not-found"],
	["a server that may not run", new HostError("not-approved", "x"), "not-found"],
	["a sign-in that is needed", new HostError("needs-sign-in", "x"), "no-permissions"],
	["a refusing user or rule", new HostError("denied", "x"), "no-permissions"],
	["HTTP's code of a refusal", answered(403), "no-permissions"],
	[
		"an answer of HTTP that refuses",
		new HostError("protocol", "x", { cause: Object.assign(new Error(), { status: 401 }) }),
		"no-permissions",
	],
	["any other answer", answered(-32603), "unavailable"],
	["a server that takes too long", new HostError("timeout", "x"), "unavailable"],
	["a value that is not an error", "x", "unavailable"],
] as const)("%s is a file error", (_what, error, kind) => {
	expect(fileFailure(error)).toBe(kind);
});
