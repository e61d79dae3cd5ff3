import { describe, expect, it } from "vitest";
import { networkError, networkFaultError, networkFaultOf } from "../../../../src/protocol/http/networkFault.ts";

/** The error that `fetch` throws for a fault with the given code. */
function fault(code: string, more: object = {}): TypeError {
	return new TypeError("fetch failed", { cause: Object.assign(new Error("x"), { code, ...more }) });
}

const target = new URL("https://mcp.example/mcp");
const proxy = new URL("http://me:secret@proxy.example:8080");

describe("a fault of the network", () => {
	it.each([
		["ECONNREFUSED", "unreachable"],
		["ENOTFOUND", "unreachable"],
		["EAI_AGAIN", "unreachable"],
		["UND_ERR_CONNECT_TIMEOUT", "unreachable"],
		["ENETUNREACH", "unreachable"],
		["CERT_HAS_EXPIRED", "start-failed"],
		["SELF_SIGNED_CERT_IN_CHAIN", "start-failed"],
		["ERR_SSL_WRONG_VERSION_NUMBER", "start-failed"],
	])("%s is %s: nothing was sent", (code, kind) => {
		const error = fault(code);
		expect(networkError(error, target, undefined)).toMatchObject({ code: kind, cause: error });
	});

	it.each([
		fault("ECONNRESET"),
		fault("UND_ERR_SOCKET"),
		fault("ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC"),
		fault("UND_ERR_RES_CONTENT_LENGTH_MISMATCH"),
		fault("HPE_INVALID_CONSTANT"),
		fault("ETIMEDOUT", { syscall: "read" }),
		new Error("something else"),
	])("%# is unchanged: the server may have carried it out", (error) => {
		expect(networkError(error, target, undefined)).toBe(error);
	});

	it("is worth another attempt unless it lasts", () => {
		expect(networkFaultError(fault("ECONNRESET"))).toMatchObject({ code: "unreachable" });
		expect(networkFaultError(fault("HPE_INVALID_CONSTANT"))).toMatchObject({ code: "start-failed" });
		expect(networkFaultError(new Error("something else"))).toBeUndefined();
		expect(networkFaultOf(fault("ETIMEDOUT", { syscall: "read" }))).toBe(
			"The connection was closed unexpectedly (ETIMEDOUT).",
		);
	});

	it("is the proxy's if there is one, and never repeats its password", () => {
		const refused = networkError(fault("ECONNREFUSED"), target, proxy);
		expect(refused).toMatchObject({
			message: expect.stringMatching(/^The proxy proxy\.example:8080 cannot be reached/),
		});
		const tunnel = networkError(fault("UND_ERR_ABORTED"), target, proxy);
		expect(tunnel).toMatchObject({ message: expect.stringContaining("did not connect to mcp.example: x") });
		expect(networkError(fault("CERT_HAS_EXPIRED"), target, proxy)).toMatchObject({ code: "start-failed" });
	});
});
