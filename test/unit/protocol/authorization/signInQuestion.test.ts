import { describe, expect, test } from "vitest";
import type { SignInRequest } from "../../../../src/protocol/authorization.ts";
import { signInQuestion } from "../../../../src/protocol/authorization/signInQuestion.ts";
import { HostError } from "../../../../src/base/errors.ts";

function asking(url: string, changes: Partial<SignInRequest> = {}): SignInRequest {
	return {
		server: "notes",
		url: new URL(url),
		issuer: "https://auth.example",
		scopes: ["notes:read"],
		reason: "sign-in",
		...changes,
	};
}

describe("the question before a browser opens", () => {
	test("names the server, the host, the scopes and the whole address (AUT-02)", () => {
		const question = signInQuestion(asking("https://auth.example/authorize?client_id=x&scope=notes%3Aread"));
		expect(question.message).toBe("Sign in to use “notes”?");
		expect(question.href).toBe("https://auth.example/authorize?client_id=x&scope=notes%3Aread");
		expect(question.detail).toContain("Sign-in page: auth.example\n");
		expect(question.detail).toContain("Asks for: notes:read");
		expect(question.detail).toContain(question.href);
		expect(question.detail).not.toContain("Authorization server");
	});

	test("shows the address that opens as well, if a browser elsewhere needs another one (AUT-02)", () => {
		const asked = asking("https://127.0.0.1:5555/authorize?redirect_uri=x%3Fy");
		const address = "https://edit.example/proxy/5555/authorize?redirect_uri=x%3Fy";
		expect(signInQuestion(asked, address).detail).toMatch(
			/authorize\?redirect_uri=x%3Fy\n\nThis address is on the remote machine.*\nhttps:\/\/edit\.example\/proxy\/5555\/authorize\?redirect_uri=x%3Fy$/,
		);
		expect(signInQuestion(asked).detail).not.toContain("machine");
	});

	test("shows when more scopes are requested, and when the page is not the authorization server's own", () => {
		const question = signInQuestion(asking("https://login.example/a", { reason: "step-up", scopes: ["a", "b"] }));
		expect(question.message).toContain("more");
		expect(question.detail).toContain("asks for more permissions than you granted before");
		expect(question.detail).toContain("Authorization server: auth.example");
		expect(question.detail).toContain("Asks for: a, b");
	});

	test("shows a name in other letters in its registered form, and warns", () => {
		const { detail, host } = signInQuestion(asking("https://\u0430pple.example/authorize"));
		expect(host).toBe("xn--pple-43d.example");
		expect(detail).toContain("may imitate");
	});

	test("makes texts of servers readable", () => {
		const scopes = ["a\u202Eb\nServer: bank", ...Array.from({ length: 200 }, (_, index) => `scope-${index}`)];
		const { detail, message } = signInQuestion(asking("https://auth.example/a", { scopes, server: "n\u200Bo\nx" }));
		expect(detail).toContain(String.raw`a\u202Eb Server: bank`);
		expect(detail).toContain("and 151 more");
		expect(message).toContain(String.raw`n\u200Bo x`);
		expect(detail.split("\n").filter((line) => line.startsWith("Server:"))).toHaveLength(1);
	});

	test.each([
		"javascript:alert(1)",
		"data:text/html,x",
		"file:///etc/passwd",
		"vbscript:x",
		"vscode://mcp-host.mcp-host/x",
		"command:workbench.action.quit",
		"ftp://auth.example/",
		"ws://auth.example/",
		"http://auth.example/authorize",
		"http://169.254.169.254/authorize",
		"http://[::ffff:7f00:1]/authorize",
		"https://bank.example@evil.example/authorize",
		"mailto:a@b.example",
		`https://auth.example/?${"x".repeat(9000)}`,
	])("refuses %.60s", (url) => {
		expect(() => signInQuestion(asking(url))).toThrow(expect.toSatisfy((error) => HostError.is(error, "invalid")));
	});

	test("accepts http on this machine", () => {
		expect(signInQuestion(asking("http://127.0.0.1:4000/authorize")).host).toBe("127.0.0.1:4000");
		expect(signInQuestion(asking("http://localhost:4000/authorize")).detail).toContain("not encrypted");
	});
});
