/**
 * A fault server over standard input and output: `node stdioServer.ts <case> <folder> [shape]`. The case defines how it
 * misbehaves, the folder holds its records and the switch, and the shape is the family of processes that it runs in.
 */
import { isJsonObject, type Json } from "../../src/base/json.ts";
import { onLines } from "../servers/received.ts";
import { serverSideOf } from "./fault.ts";
import { findCase } from "./faults.ts";
import { Peer, type Channel } from "./peer.ts";
import { ServerFiles } from "./serverFiles.ts";
import { isShape, takeShape } from "./shapes.ts";

const [id = "", folder = "", shape = "obedient"] = process.argv.slice(2);
if (!isShape(shape)) throw new Error(`There is no shape ${shape}.`);
if (takeShape(shape, id, folder)) serve();

function serve(): void {
	const files = new ServerFiles(folder);
	files.note("start", String(process.pid));
	const { fault, phase } = findCase(id);
	const output: Channel = {
		send: (message) => void process.stdout.write(`${message}\n`),
		raw: (bytes) => void process.stdout.write(bytes),
		end() {},
	};
	const peer = new Peer(serverSideOf(fault), phase, "stdio", {
		// Read from the file each time: the trial may repair a server while it runs.
		isOn: () => files.isOn,
		counted: (nonce) => files.note("counted", nonce),
		struck: () => files.note("struck", phase),
		push: output,
	});
	onLines(process.stdin, (line) => {
		const message = JSON.parse(line) as Json;
		if (!isJsonObject(message)) return;
		files.note("request", typeof message["method"] === "string" ? message["method"] : line);
		peer.receive(message, output);
	});
}
