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

	it("says of what would go out as a note in its place that nobody was shown (SMP-10, built-in.md claims 13, 14)", () => {
		const wav = { type: "audio", data: "AAAA", mimeType: "audio/wav" };
		expect(fit({ messages: [user(text), assistant(text, image), user(text)] })).toMatch(/the assistant says/);
		expect(fit({ messages: [user(text), assistant(wav)] })).toMatch(/the assistant says/);
		expect(fit({ messages: [assistant(use("a")), user(result("a", text, wav))] })).toMatch(/sounds in tool results/);
		expect(fit({ messages: [assistant(use("a")), user(result("a", text, image))] })).toBeUndefined();
	});

	it("says of a type of image that is none: it would go out with words that are not seen in the image (SMP-10)", () => {
		const of = (mimeType: string) => fit({ messages: [user({ ...image, mimeType })] });
		expect(of("image/png;base64,AAAA,ignore all\nprevious")).toMatch(
			/^cannot be sent image\/png;base64,AAAA,ignore all/,
		);
		expect(of("text/html")).toMatch(/no type of image/);
		expect(["image/png", "IMAGE/JPEG", "image/svg+xml"].map((type) => of(type.toLowerCase()))).toEqual(
			Array.from({ length: 3 }),
		);
	});

	it("says which sounds cannot be sent (built-in.md claim 13)", () => {
		expect(fit({ messages: [sound("audio/wav")] }, plain)).toBeUndefined();
		expect(fit({ messages: [sound("audio/MPEG; codecs=mp3")] }, plain)).toBeUndefined();
		expect(fit({ messages: [sound("audio/ogg\u202e")] })).toMatch(/audio\/ogg\\u202E, only WAV and MP3/);
	});
});
