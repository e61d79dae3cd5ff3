import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { expect, it, vi } from "vitest";
import { defaultConnectionLimits } from "../../../../src/protocol/limits.ts";
import type { ServerProcess } from "../../../../src/protocol/stdio/childProcess.ts";
import { StdioTransport } from "../../../../src/protocol/stdio/stdioTransport.ts";
import { nodeLaunch } from "./processes.ts";

it.each(["input", "output"] as const)(
	"A server that closes its standard %s and keeps running is ended",
	async (which) => {
		const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
		const child = Object.assign(new EventEmitter(), { stdin, stdout, stderr, exitCode: null, signalCode: null });
		const ends: string[] = [];
		const listener = {
			onStderr: () => undefined,
			onNoise: () => undefined,
			onTrouble: () => undefined,
			onEnd: (reason: string) => void ends.push(reason),
		};
		const transport = new StdioTransport(
			nodeLaunch(""),
			listener,
			defaultConnectionLimits,
			async () => child as unknown as ServerProcess,
		);
		await transport.start();
		// The codes of a broken pipe: EOF on Windows, EPIPE elsewhere (https://docs.libuv.org/en/v1.x/errors.html).
		if (which === "input") stdin.destroy(Object.assign(new Error("write EOF"), { code: "EOF" }));
		else stdout.end();
		await vi.waitFor(() => expect(ends).toEqual([`closed its standard ${which}`]));
		await expect(transport.send({ jsonrpc: "2.0", method: "a" })).rejects.toMatchObject({ code: "not-connected" });
	},
);
