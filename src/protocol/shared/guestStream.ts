import type { Duplex } from "node:stream";
import type { ConnectionLimits } from "../limits.ts";
import { MessageReader } from "../stdio/messageReader.ts";
import { MessageWriter } from "../stdio/messageWriter.ts";
import type { Hub } from "./hub.ts";
import { withMark } from "./refusedAnswers.ts";

/** How long a client may take to read the last messages, in milliseconds. */
const lastWordsMs = 1000;

/**
 * Carries the messages of a further client of a process, one JSON message a line, until the stream or the process ends.
 * The client's messages are read no faster than the server takes them, and a client that does not read is let go, so that
 * it harms no other. `onEnd` is called once.
 */
export function serveGuest(hub: Hub, stream: Duplex, limits: ConnectionLimits, onEnd: () => void): void {
	// The size of a server's messages is not this window's choice: a large one may be followed by others.
	const writer = new MessageWriter(stream, limits.maxMessageBytes + limits.maxUnsentBytes);
	let isEnded = false;
	const leave = (): void => {
		if (isEnded) return;
		isEnded = true;
		reader.end();
		guest?.leave();
		onEnd();
	};
	const end = (): void => {
		leave();
		stream.destroy();
	};
	/** Messages that the server has not taken. */
	let taken = 0;
	let isDrained = true;
	const readOn = (): void => {
		if (taken === 0 && isDrained && !isEnded) stream.resume();
	};
	const reader = new MessageReader(limits, {
		isUnwanted: () => false,
		onMessage: (message) => {
			if (isEnded) return;
			taken++;
			stream.pause();
			void guest?.send(message).finally(() => {
				taken--;
				readOn();
			});
		},
		// Windows of the same version write nothing but messages that are whole.
		onNoise: end,
		onTrouble: end,
		onUnreadable: end,
		onDrained: () => {
			isDrained = true;
			readOn();
		},
	});
	const guest = hub.join({
		deliver: (message) => void writer.send(withMark(message)).catch(end),
		end: () => {
			leave();
			// Earlier messages of the server arrive before the end, if the client reads.
			queueMicrotask(() => stream.end(end));
			setTimeout(end, lastWordsMs).unref();
		},
	});
	stream.on("error", end);
	stream.on("close", end);
	stream.on("end", end);
	stream.on("data", (chunk: Buffer) => {
		isDrained = reader.write(chunk);
		if (!isDrained) stream.pause();
	});
	if (guest === undefined || stream.destroyed || stream.readableEnded) end();
	else readOn();
}
