import { describe, expect, test } from "vitest";
import { readChallenge, type Challenge } from "../../../../src/protocol/http/challenge.ts";

function read(status: number, header?: string): Challenge | undefined {
	return readChallenge(
		new Response("", { status, ...(header === undefined ? {} : { headers: { "www-authenticate": header } }) }),
	);
}

describe("readChallenge", () => {
	test("treats any 401 as a request to sign in", () => {
		const nothing = { kind: "sign-in", scope: undefined, resourceMetadata: undefined, wantsDpop: false };
		expect(read(401)).toEqual(nothing);
		expect(read(401, "Basic realm=x")).toEqual(nothing);
		expect(read(401, "")).toEqual(nothing);
	});

	test("treats a 403 as a step-up only if it declares so", () => {
		expect(read(403)).toBeUndefined();
		expect(read(403, 'Bearer error="invalid_token"')).toBeUndefined();
		expect(read(403, 'Basic error="insufficient_scope"')).toBeUndefined();
		expect(read(403, 'Bearer error="insufficient_scope", scope="a b"')).toMatchObject({
			kind: "step-up",
			scope: "a b",
		});
		expect(read(403, "bearer error=insufficient_scope,scope=a")).toMatchObject({ kind: "step-up", scope: "a" });
	});

	test("ignores other answers", () => {
		for (const status of [200, 202, 400, 404, 405, 500]) expect(read(status, "Bearer")).toBeUndefined();
	});

	test("finds our scheme among others (RFC 9110, section 11.6.1)", () => {
		const header =
			'Basic realm="a, Bearer scope=\\"evil\\"", Negotiate, Bearer realm="x", scope="files:read", resource_metadata="https://h/m", DPoP algs="ES256"';
		expect(read(401, header)).toEqual({
			kind: "sign-in",
			scope: "files:read",
			resourceMetadata: new URL("https://h/m"),
			wantsDpop: true,
		});
	});

	test("does not confuse the parameters of another scheme with ours, nor a name that ends like one of ours", () => {
		expect(read(401, 'Basic scope="no"')?.scope).toBeUndefined();
		expect(read(401, 'Bearer xscope="no", error_scope="no"')?.scope).toBeUndefined();
	});

	test("ignores an invalid address", () => {
		expect(read(401, 'Bearer resource_metadata="not a url"')?.resourceMetadata).toBeUndefined();
	});

	test("survives an invalid challenge", () => {
		for (const header of ['Bearer scope="unclosed', ", , =", '"', "=".repeat(4000), 'a="\\'.repeat(1000)]) {
			expect(read(401, header)?.kind).toBe("sign-in");
		}
		expect(read(401, `Bearer scope="${"a".repeat(20_000)}"`)?.scope).toBeUndefined();
	});
});
