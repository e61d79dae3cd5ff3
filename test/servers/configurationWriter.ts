/** A window that adds servers to one file: `node configurationWriter.ts FILE LABEL COUNT`, which ends when all are added. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { InputValues } from "../../src/servers/definitions/inputValues.ts";
import type { EditableConfiguration } from "../../src/setup/entries/editable.ts";
import { ServersWriter } from "../../src/setup/entries/writeServers.ts";

const [, , file = "", label = "", count = ""] = process.argv;
const target: EditableConfiguration = {
	origin: { kind: "mcp-json", label: "mcp.json", file, folder: "/ws", isWorkspace: true },
	exists: async () => existsSync(file),
	read: async () => (existsSync(file) ? readFileSync(file, "utf8") : ""),
	write: async (text) => (text === undefined ? rmSync(file) : writeFileSync(file, text)),
};
const writer = new ServersWriter({
	open: () => target,
	inputs: new InputValues(
		{ get: async () => undefined, store: async () => undefined, delete: async () => undefined, keys: async () => [] },
		async () => undefined,
	),
	folders: () => [],
	refresh: async () => undefined,
	revoke: async () => undefined,
	lock: `${file}.lock`,
});
for (let n = 0; n < Number(count); n++) {
	const added = { entry: { command: "node" }, inputs: [], values: new Map<string, string>() };
	const { undo } = await writer.addTo(target, [{ name: `${label}-${n}`, ...added }]);
	// Some are removed again.
	if (n % 10 === 9) await undo();
}
