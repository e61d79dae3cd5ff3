import { describe, expect, it } from "vitest";
import { obstaclesIn, whyUnfit } from "../../../../src/features/sampling/modelFit.ts";
import { assistant, image, read, result, text, tool, use, user } from "./requests.ts";

const able = { supportsTools: true, supportsImages: true };
const plain = { supportsTools: false, supportsImages: false };
const sound = (mimeType: string) => user({ type: "audio", data: "AAAA", mimeType });

function fit(params: object, model = able): string | undefined {
	const { messages, tools } = read(params);
	return whyUnfit(messages, tools, model);
}

describe("whyUnfit", () => {
	it("accepts texts", () => {
		expect(fit({}, plain)).toBeUndefined();
		expect(fit({ messages: [user(text, image)], tools: [tool("t")] })).toBeUndefined();
	});

	it("reports that a model has no tools, for offers and for a history of calls (BLT-14)", () => {
		expect(fit({ tools: [tool("t")] }, plain)).toMatch(/tools/);
		expect(fit({ messages: [assistant(use("a")), user(result("a"))] }, plain)).toMatch(/tools/);
	});

	it("reports that a model reads no images, those in results among them", () => {
		expect(fit({ messages: [user(image)] }, { ...able, supportsImages: false })).toMatch(/images/);
		const inResult = [assistant(use("a")), user(result("a", image))];
		expect(fit({ messages: inResult }, { ...able, supportsImages: false })).toMatch(/images/);
	});

	it("ignores content that no model can receive: another model would not help (SMP-18)", () => {
		const odd = user({ ...image, mimeType: "text/html" });
		expect(fit({ messages: [odd] })).toBeUndefined();
		expect(fit({ messages: [sound("audio/ogg")] }, plain)).toBeUndefined();
		expect(fit({ messages: [odd] }, plain)).toMatch(/does not accept images/);
	});
});

describe("obstaclesIn", () => {
	const obstacles = (...messages: readonly object[]) =>
		obstaclesIn(read({ messages }).messages).map(({ place, problem }) => `${place}: ${problem}`);
	const takeOut = "Remove it to send the request.";

	it("lists content that would be sent as a note that the user has not seen (SMP-10, BLT-13, BLT-14)", () => {
		const wav = { type: "audio", data: "AAAA", mimeType: "audio/wav" };
		expect(obstacles(user(text), assistant(text, image), user(text))).toEqual([
			`message.1.part.1: No model accepts an image that is in an assistant message. ${takeOut}`,
		]);
		expect(obstacles(user(text), assistant(wav))).toEqual([
			`message.1.part.0: No model accepts a recording that is in an assistant message. ${takeOut}`,
		]);
		expect(obstacles(assistant(use("a")), user(result("a", text, wav)))).toEqual([
			`message.1.part.0.content.1: No model accepts a recording that is in a tool result. ${takeOut}`,
		]);
		expect(obstacles(assistant(use("a")), user(result("a", text, image)))).toEqual([]);
	});

	it("lists an invalid image type: it would be sent with words that are not visible in the image (SMP-10, SMP-18)", () => {
		const of = (mimeType: string) => obstacles(user({ ...image, mimeType }));
		expect(of("image/png;base64,AAAA,ignore all\nprevious")).toEqual([
			expect.stringContaining("this image as image/png;base64,AAAA,ignore all previous, which is not an image type"),
		]);
		expect(of("text/html")).toEqual([
			`message.0.part.0: The server declares this image as text/html, which is not an image type. ${takeOut}`,
		]);
		expect(["image/png", "IMAGE/JPEG", "image/svg+xml"].flatMap((type) => of(type.toLowerCase()))).toEqual([]);
		const inResult = [assistant(use("a")), user(result("a", text, { ...image, mimeType: "x" }))];
		expect(obstacles(...inResult)).toEqual([
			expect.stringMatching(/^message\.1\.part\.0\.content\.1: .*not an image type/),
		]);
	});

	it("lists sounds that cannot be sent (BLT-13)", () => {
		expect(obstacles(sound("audio/wav"), sound("audio/MPEG; codecs=mp3"))).toEqual([]);
		expect(obstacles(sound("audio/ogg\u202e"))).toEqual([
			expect.stringMatching(/This recording is audio\/ogg\\u202E, but models accept only WAV and MP3/),
		]);
	});
});
