import type { CallToolResult, Resource, Tool } from "@modelcontextprotocol/server";
import { deflateSync } from "node:zlib";

const noArguments = { type: "object" as const, properties: {} };

/** The result of a tool of this server; the types of its blocks are unchecked. */
type AnyResult = Pick<CallToolResult, "isError" | "structuredContent"> & { readonly content?: unknown };

/** A placeholder for content that breaks the protocol, or is of a later revision, until it is sent. */
export const oddPlace = [{ type: "text", text: "odd" }];
export const oddContent = [
	{ type: "hologram", beams: 3 },
	{ type: "text", text: "and words" },
	{ type: "image" },
	null,
];

const text = (words: string, audience?: readonly ("user" | "assistant")[]): object => ({
	type: "text",
	text: words,
	...(audience === undefined ? {} : { annotations: { audience } }),
});

/** The text at the very end of the long log, which no model reads by chance. */
export const lastLogLine = "ERROR 7731: the reactor is too hot";

const log = `${Array.from({ length: 45_000 }, (_, line) => `${line} INFO all is well in the engine room today\n`).join("")}${lastLogLine}`;

const flights = {
	flights: [
		{ number: "VY 6001", from: "London", to: "Barcelona", euros: 74.5, seats: 3 },
		{ number: "BA 478", from: "London", to: "Barcelona", euros: 129, seats: 9 },
		{ number: "IB 5632", from: "London", to: "Madrid", euros: 98.2, seats: 1 },
	],
	currency: "EUR",
};

/** Long enough that repeating it has a cost. */
const prices = {
	currency: "EUR",
	prices: Array.from({ length: 300 }, (_, day) => ({ day, hotel: `Hotel ${day % 7}`, euros: 80 + (day % 30) })),
};

const flightSchema = {
	type: "object" as const,
	properties: {
		flights: {
			type: "array",
			items: { type: "object", properties: { number: { type: "string" }, euros: { type: "number" } } },
		},
		currency: { type: "string" },
	},
	required: ["flights", "currency"],
};

/** Addresses that a host must not open or load automatically (TOL-17). `{canary}` is an address of the test. */
export const addresses = [
	"file:///etc/passwd",
	"command:workbench.action.terminal.new",
	"javascript:alert(1)",
	"vscode://publisher.extension/run",
	"vscode-insiders:extension/evil",
	"{canary}/linked",
	"data:text/html,<script>alert(1)</script>",
	"mailto:a@b.c",
	"\\\\host\\share",
	"vscode-resource:/etc/passwd",
];

const hostile =
	'![a]({canary}/markdown.png) <img src="{canary}/html.png"> [click](command:workbench.action.quit) $(shield) **bold** {canary}/bare';

/** The server's tools with their results. `{canary}` in them is replaced by the argument of that name. */
export const resultTools: Readonly<Record<string, { readonly tool: Omit<Tool, "name">; readonly result: AnyResult }>> =
	{
		picture: {
			tool: { description: "Draws a picture.", inputSchema: noArguments },
			result: {
				content: [
					text("The view from the hotel"),
					{ type: "image", data: picture(320, 200), mimeType: "image/png" },
					{ type: "audio", data: tone(), mimeType: "audio/wav" },
				],
			},
		},
		flights: {
			tool: { description: "Lists flights.", inputSchema: noArguments, outputSchema: flightSchema },
			result: { content: [text(JSON.stringify(flights, undefined, 2))], structuredContent: flights },
		},
		prices: {
			tool: { description: "Lists prices.", inputSchema: noArguments },
			result: { content: [text(JSON.stringify(prices))], structuredContent: prices },
		},
		broken: {
			tool: { description: "Breaks its promise.", inputSchema: noArguments, outputSchema: flightSchema },
			result: { content: [text("Three flights found")], structuredContent: { flights: "three", currency: 978 } },
		},
		silent: {
			tool: { description: "Promises data and gives words.", inputSchema: noArguments, outputSchema: flightSchema },
			result: { content: [text("No data today")] },
		},
		log: {
			tool: { description: "Gives the log.", inputSchema: noArguments },
			result: { content: [text(log)] },
		},
		crowd: {
			tool: { description: "Gives very many parts.", inputSchema: noArguments },
			result: {
				content: [
					...Array.from({ length: 300 }, (_, index) => text(`Part ${index + 1}`)),
					...Array.from({ length: 200 }, () => ({ type: "image", data: picture(8, 8), mimeType: "image/png" })),
				],
			},
		},
		odd: {
			tool: { description: "Speaks a later revision of the protocol.", inputSchema: noArguments },
			result: { content: oddPlace },
		},
		failing: {
			tool: { description: "Fails.", inputSchema: noArguments, outputSchema: flightSchema },
			result: { content: [text("No rooms left on this date.")], isError: true },
		},
		whispers: {
			tool: { description: "Speaks to one of two.", inputSchema: noArguments },
			result: {
				content: [text("For your eyes only", ["user"]), text("Between us models", ["assistant"]), text("For all")],
			},
		},
		hostile: {
			tool: {
				description: "Tries everything.",
				inputSchema: { type: "object", properties: { canary: { type: "string" } } },
			},
			result: {
				content: [
					text(hostile),
					...addresses.map((uri) => ({ type: "resource_link", uri, name: hostile })),
					{ type: "resource", resource: { uri: "{canary}/embedded", mimeType: "text/html", text: hostile } },
				],
			},
		},
		linked: {
			tool: { description: "Links to a trip.", inputSchema: noArguments },
			result: {
				content: [
					{ type: "resource_link", uri: "trips://barcelona", name: "Barcelona 2023", mimeType: "text/plain" },
					{ type: "resource_link", uri: "trips://unlisted", name: "Unlisted" },
				],
			},
		},
	};

/** The server's resources; reading `trips://unlisted`, which only a result links to, works as well. */
export const tripResources: readonly Resource[] = [
	{ uri: "trips://barcelona", name: "Barcelona 2023", mimeType: "text/plain", description: "Five days in May" },
	{ uri: "file:///etc/hostname", name: "A file by name only" },
];

/** A colourful PNG. */
export function picture(width: number, height: number): string {
	const rows = Buffer.alloc(height * (1 + width * 3));
	for (let y = 0; y < height; y++) {
		for (let x = 0; x < width; x++) {
			const at = y * (1 + width * 3) + 1 + x * 3;
			rows.set([Math.round((255 * x) / width), Math.round((200 * y) / height), 180], at);
		}
	}
	const head = Buffer.alloc(13);
	head.writeUInt32BE(width, 0);
	head.writeUInt32BE(height, 4);
	head.set([8, 2, 0, 0, 0], 8);
	const signature = Buffer.from("89504e470d0a1a0a", "hex");
	const chunks = [chunk("IHDR", head), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))];
	return Buffer.concat([signature, ...chunks]).toString("base64");
}

function chunk(type: string, data: Buffer): Buffer {
	const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
	const frame = Buffer.alloc(body.length + 8);
	frame.writeUInt32BE(data.length, 0);
	body.copy(frame, 4);
	frame.writeUInt32BE(checksum(body), body.length + 4);
	return frame;
}

/** The checksum of PNG (ISO 3309). */
function checksum(data: Buffer): number {
	let sum = 0xffffffff;
	for (const byte of data) {
		sum ^= byte;
		for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
	}
	return (sum ^ 0xffffffff) >>> 0;
}

/** A quarter of a second of sound, as WAV. */
function tone(): string {
	const samples = Buffer.from(Array.from({ length: 2000 }, (_, index) => 128 + Math.round(60 * Math.sin(index / 3))));
	const head = Buffer.alloc(44);
	head.write("RIFF", 0, "latin1");
	head.writeUInt32LE(36 + samples.length, 4);
	head.write("WAVEfmt ", 8, "latin1");
	head.writeUInt32LE(16, 16);
	head.writeUInt16LE(1, 20);
	head.writeUInt16LE(1, 22);
	head.writeUInt32LE(8000, 24);
	head.writeUInt32LE(8000, 28);
	head.writeUInt16LE(1, 32);
	head.writeUInt16LE(8, 34);
	head.write("data", 36, "latin1");
	head.writeUInt32LE(samples.length, 40);
	return Buffer.concat([head, samples]).toString("base64");
}
