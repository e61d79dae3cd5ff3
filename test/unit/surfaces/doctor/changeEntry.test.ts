import { describe, expect, it } from "vitest";
import { bindingOf, changeEntry } from "../../../../src/surfaces/doctor/changeEntry.ts";
import type { EntryChange } from "../../../../src/surfaces/doctor/finding.ts";
import { definition, stdioConfig } from "../../servers/fixtures.ts";
import { MemoryText, writerScene } from "../../setup/entries/memoryText.ts";

const text = `{\r\n\t// The team's.\r\n\t"servers": {\r\n\t\t"acme": { "command": "npx", "args": [] }, // ours\r\n\t},\r\n}\r\n`;
const key: EntryChange = {
	set: [{ path: ["env", "ACME_KEY"], value: "${input:ACME_KEY}" }],
	input: { type: "promptString", id: "ACME_KEY", description: "ACME_KEY", password: true },
};

describe("A fix of an entry (DOC-05)", () => {
	it("keeps comments and line ends, writes an input, and stores the value for only the changed server", async () => {
		const { writer, texts, valueOf, done } = writerScene({ folder: text });
		const services = { writer, refresh: async () => void done.push("refreshed") };
		await changeEntry(services, texts.folder, "acme", { change: key, value: "s3cret" });
		expect(texts.folder.text).toContain("// The team's.\r\n");
		expect(texts.folder.text).toContain("// ours");
		expect(texts.folder.text).toContain('"ACME_KEY": "${input:ACME_KEY}"');
		expect(texts.folder.text).not.toContain("s3cret");
		expect(await valueOf(texts.folder, "acme", "ACME_KEY")).toBe("s3cret");
		expect(done).toEqual(["refreshed"]);
	});

	it("uses another id if one is taken: another server's value is not this one's", async () => {
		const taken = `{ "inputs": [{ "type": "promptString", "id": "ACME_KEY" }], "servers": { "acme": { "command": "x" } } }`;
		const { writer, texts, valueOf } = writerScene({ folder: taken });
		await changeEntry({ writer, refresh: async () => undefined }, texts.folder, "acme", {
			change: key,
			value: "s3cret",
		});
		expect(texts.folder.text).toContain('"ACME_KEY": "${input:ACME_KEY-2}"');
		expect(await valueOf(texts.folder, "acme", "ACME_KEY-2")).toBe("s3cret");
	});

	it("binds a package to a version, with everything else unchanged (REG-12)", async () => {
		const folder = `{ "servers": { "acme": { "command": "npx", "args": ["-y", "@acme/mcp@latest", "--fast"] } } } // ours`;
		const { writer, texts } = writerScene({ folder });
		const server = definition("acme", stdioConfig({ command: "npx", args: ["-y", "@acme/mcp@latest", "--fast"] }));
		const change = await bindingOf(server, async ({ name }) => (name === "@acme/mcp" ? "1.4.0" : ""));
		if (change === undefined) throw new Error("It cannot be bound.");
		await changeEntry({ writer, refresh: async () => undefined }, texts.folder, "acme", { change });
		expect(texts.folder.text).toBe(folder.replace("@latest", "@1.4.0"));
		const bound = definition("acme", stdioConfig({ command: "npx", args: ["-y", "@acme/mcp@1.4.0"] }));
		expect(await bindingOf(bound, async () => "2.0.0")).toBeUndefined();
	});

	it("writes nothing if the entry is gone or the text is broken", async () => {
		for (const folder of ['{ "servers": {} }', '{ "servers": { "acme": ']) {
			const { writer, texts, secrets } = writerScene({ folder });
			const change = changeEntry({ writer, refresh: async () => undefined }, texts.folder, "acme", {
				change: key,
				value: "v",
			});
			await expect(change).rejects.toThrow(/no longer in|not valid JSON/);
			expect(texts.folder.text).toBe(folder);
			expect(secrets.values.size).toBe(0);
		}
	});

	it("writes no file of another program", async () => {
		const { writer } = writerScene();
		const other = new MemoryText({ kind: "followed", label: "Cursor", file: "/x", isWorkspace: false }, text);
		const change = changeEntry({ writer, refresh: async () => undefined }, other, "acme", { change: key, value: "v" });
		await expect(change).rejects.toThrow("Cursor belongs to another program");
		expect(other.text).toBe(text);
	});

	it("sets plain members in place", async () => {
		const { writer, texts } = writerScene({ folder: text });
		const change: EntryChange = { set: [{ path: ["command"], value: "/opt/npx" }] };
		await changeEntry({ writer, refresh: async () => undefined }, texts.folder, "acme", { change });
		expect(texts.folder.text).toBe(text.replace('"npx"', '"/opt/npx"'));
	});
});
