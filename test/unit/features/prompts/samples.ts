import type { GetPromptResult } from "@modelcontextprotocol/client";
import type { ContentBlock } from "../../../../src/servers/sessions/session.ts";

/** The beginnings of media files, as base64. */
export const png = Buffer.from("\u0089PNG\r\n\u001a\n\0\0\0\rIHDR\0\0\0\u0010\0\0\0\u0010", "latin1").toString(
	"base64",
);
export const webp = Buffer.from("RIFF1234WEBPVP8 1234123\u009d\u0001\u002a\u0010\0\u0010\0", "latin1").toString(
	"base64",
);
export const wav = Buffer.from("RIFF1234WAVEfmt ", "latin1").toString("base64");

/** The answer of a server to `prompts/get`. */
export function promptOf(...messages: readonly (readonly ["user" | "assistant", ContentBlock])[]): GetPromptResult {
	return { messages: messages.map(([role, content]) => ({ role, content })) };
}
