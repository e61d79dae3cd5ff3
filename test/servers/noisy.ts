/**
 * A server that disturbs as much as it can: `node noisy.ts --log path --go path`. As soon as the file `go` exists, it
 * asks, announces, complains and fails two hundred times, all on its own. Then it requests the roots with the id `end`,
 * whose answer in the log shows that everything before was read.
 */
import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { legacyMethods, serveLines, writeMessage } from "./lineServer.ts";
import { recorderFromProcess, recordStdio } from "./received.ts";

const rounds = 200;
const { values } = parseArgs({ options: { log: { type: "string" }, go: { type: "string" } } });
const go = values.go ?? "";

recordStdio(recorderFromProcess());
serveLines({
	...legacyMethods,
	initialize: () => ({
		result: {
			protocolVersion: "2025-11-25",
			capabilities: { tools: { listChanged: true }, logging: {} },
			serverInfo: { name: "noisy", version: "1.0.0" },
		},
	}),
	"logging/setLevel": () => ({ result: {} }),
	"notifications/initialized"() {
		void makeNoise();
		return "silence";
	},
});

async function makeNoise(): Promise<void> {
	while (!existsSync(go)) await delay(50);
	for (let round = 1; round <= rounds; round++) {
		const message = `Look here! ${round}`;
		const properties = { answer: { type: "string" } };
		writeMessage({
			id: `form-${round}`,
			method: "elicitation/create",
			params: { message, requestedSchema: { type: "object", properties } },
		});
		writeMessage({
			id: `url-${round}`,
			method: "elicitation/create",
			params: { mode: "url", message, url: `https://example.com/${round}`, elicitationId: `${round}` },
		});
		const content = { type: "text", text: message };
		writeMessage({
			id: `sampling-${round}`,
			method: "sampling/createMessage",
			params: { messages: [{ role: "user", content }], maxTokens: 10 },
		});
		writeMessage({ method: "notifications/message", params: { level: "emergency", data: message } });
		writeMessage({ method: "notifications/tools/list_changed" });
		writeMessage({ method: "notifications/progress", params: { progressToken: round, progress: 1, message } });
		process.stdout.write(`not JSON ${round}\n`);
		process.stderr.write(`${message}\n`);
		await delay(10);
	}
	writeMessage({ id: "end", method: "roots/list" });
}
