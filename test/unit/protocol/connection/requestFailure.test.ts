import { SdkError, SdkErrorCode } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { requestFailure } from "../../../../src/protocol/connection/requestFailure.ts";

const failure = { mayHaveEffect: false, exit: undefined };

describe("an answer that breaks the protocol", () => {
	it("is told in a line, without the validator's dump", () => {
		const dump = 'Invalid result for tools/call: [\n  { "code": "custom", "path": [ "content" ] }\n]';
		const error = new SdkError(SdkErrorCode.InvalidResult, dump, { method: "tools/call" });
		const { code, message } = requestFailure(error, failure);
		expect({ code, message }).toEqual({
			code: "protocol",
			message: "Invalid result for tools/call: it breaks the protocol.",
		});
	});

	it("is told with the place and the reason where the host's own schema found it", () => {
		const words = "Invalid result for resources/read: contents.0.blob: Invalid Base64 string";
		expect(requestFailure(new SdkError(SdkErrorCode.InvalidResult, words), failure).message).toBe(words);
	});
});
