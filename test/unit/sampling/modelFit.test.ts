import { describe, expect, it } from "vitest";
import { whyUnfit } from "../../../src/sampling/modelFit.ts";
import { assistant, image, read, result, text, tool, use, user } from "./requests.ts";

const able = { supportsTools: true, supportsImages: true };
const plain = { supportsTools: false, supportsImages: false };
const sound = (mimeType: string) => user({ type: "audio", data: "AAAA", mimeType });

function fit(params: object, model = able): string | undefined {
	const { messages, tools } = read(params);
	return whyUnfit(messages, tools, model);
}

describe("whyUnfit", () => {
	it("has nothing against texts", () => {
		expect(fit({}, plain)).toBeUndefined();
		expect(fit({ messages: [user(text, image)], tools: [tool("t")] })).toBeUndefined();
	});

	it("says that a model has no tools, for offers and for a history of calls (built-in.md claim 14)", () => {
		expect(fit({ tools: [tool("t")] }, plain)).toMatch(/tools/);
		expect(fit({ messages: [assistant(use("a")), user(result("a"))] }, plain)).toMatch(/tools/);
	});

	it("says that a model reads no images, those in results among them", () => {
		expect(fit({ messages: [user(image)] }, { ...able, supportsImages: false })).toMatch(/images/);
		const inResult = [assistant(use("a")), user(result("a", image))];
		expect(fit({ messages: inResult }, { ...able, supportsImages: false })).toMatch(/images/);
	});

	it("says which sounds cannot be sent (built-in.md claim 13)", () => {
		expect(fit({ messages: [sound("audio/wav")] }, plain)).toBeUndefined();
		expect(fit({ messages: [sound("audio/MPEG; codecs=mp3")] }, plain)).toBeUndefined();
		expect(fit({ messages: [sound("audio/ogg\u202e")] })).toMatch(/audio\/ogg\\u202E, only WAV and MP3/);
	});
});
