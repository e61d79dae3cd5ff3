import { ProtocolError, SdkError, SdkErrorCode } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { describeFailure } from "../../../../src/protocol/connection/connectFailure.ts";
import { isInterrupted, requestFailure } from "../../../../src/protocol/connection/requestFailure.ts";

const failure = { mayHaveEffect: false, exit: undefined };

describe("an answer that breaks the protocol", () => {
	it("is reported in a line, without the validator's dump", () => {
		const dump = 'Invalid result for tools/call: [\n  { "code": "custom", "path": [ "content" ] }\n]';
		const error = new SdkError(SdkErrorCode.InvalidResult, dump, { method: "tools/call" });
		const { code, message } = requestFailure(error, failure);
		expect({ code, message }).toEqual({
			code: "protocol",
			message: "Invalid result for tools/call: it does not follow the protocol.",
		});
	});

	it("is reported with the place and the reason if the host's own schema found it", () => {
		const words = "Invalid result for resources/read: contents.0.blob: Invalid Base64 string";
		expect(requestFailure(new SdkError(SdkErrorCode.InvalidResult, words), failure).message).toBe(`${words}.`);
	});
});

it.each(["EPIPE", "EOF", "ECONNRESET", "UND_ERR_SOCKET"])(
	"the error %s of a pipe or a socket interrupts a call (TRN-57)",
	(code) => {
		// On Windows the code of a broken pipe is EOF (https://docs.libuv.org/en/v1.x/errors.html).
		const error = Object.assign(new Error(`write ${code}`), { code });
		expect(isInterrupted(error)).toBe(true);
		expect(requestFailure(error, { mayHaveEffect: true, exit: "exited with code 1" })).toMatchObject({
			code: "outcome-unknown",
			message: expect.stringContaining("The tool may have run."),
		});
	},
);

describe("an error of the protocol", () => {
	const told = (message: string, data?: unknown): string =>
		requestFailure(new ProtocolError(-32_602, message, data), failure).message;

	it.each<[string, unknown, string]>([
		["no data", undefined, "Invalid params (error -32602)."],
		["null", null, "Invalid params (error -32602)."],
		["a text", "limit is\n\u202E10", "Invalid params (error -32602). It says: limit is \\u202E10."],
		["a reason", { detail: "limit is 10" }, "Invalid params (error -32602). It says: limit is 10."],
		[
			"the list of a validator",
			[{ path: ["limit"], message: "at most 10", code: "too_big" }],
			"Invalid params (error -32602). It says: limit: at most 10.",
		],
		["an object without words", { most: 10 }, 'Invalid params (error -32602). It says: {"most":10}.'],
		["data that the message repeats", { field: "params" }, "Invalid params (error -32602)."],
		["a key", "Bearer abc123def456 is expired", "Invalid params (error -32602). It says: Bearer (secret) is expired."],
	])("is reported with the text beside its message: %s", (_what, data, message) => {
		expect(told("Invalid params", data)).toBe(message);
	});

	it("is reported in a line if its message is a validator's dump", () => {
		const dump = '[\n {"code":"invalid_type","path":["params","name"],"message":"Required"}\n]';
		expect(told(dump)).toBe("params.name: Required (error -32602).");
	});
});

describe("a handshake", () => {
	it("that a validator ended is reported by the place of the fault", () => {
		const dump =
			'[\n {"code":"invalid_type","expected":"object","path":["result","capabilities"],"message":"Invalid"}\n]';
		expect(describeFailure(new Error(dump), "stdio").message).toBe(
			"The handshake failed: result.capabilities: Invalid.",
		);
		expect(describeFailure(new Error(dump.replace('"result","capabilities"', "")), "http").message).toBe(
			"The handshake failed: the message: Invalid.",
		);
	});

	it("that the server refused is reported with the text beside its message", () => {
		const error = new ProtocolError(-32_000, "Not now", { reason: "The licence has ended" });
		expect(describeFailure(error, "stdio").message).toBe(
			"The handshake failed: Not now. It says: The licence has ended.",
		);
	});
});
