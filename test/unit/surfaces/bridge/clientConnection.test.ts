import { Socket } from "node:net";
import { expect, test, vi } from "vitest";
import { ClientConnection } from "../../../../src/surfaces/bridge/clientConnection.ts";
import { linkLimits } from "../../../../src/surfaces/bridge/link.ts";

test("a client that reads none of its answers is cut off, and they are kept no longer (GST-10)", async () => {
	const socket = new Socket();
	vi.spyOn(socket, "write").mockReturnValue(false);
	vi.spyOn(socket, "writableLength", "get").mockReturnValue(linkLimits.answerBytes + 1);
	let hasEnded = false;
	const connection = new ClientConnection(socket, {
		key: "key",
		calls: { handle: async () => ({}), leave: () => undefined, mayNotify: () => true },
		proof: async () => undefined,
		readChain: async () => [],
		folderOutside: async () => undefined,
		onKnown: () => undefined,
		takeWindow: () => undefined,
		onEnd: () => (hasEnded = true),
	});
	connection.updated("file:///a");
	expect(socket.destroyed).toBe(true);
	await expect.poll(() => hasEnded).toBe(true);
});
