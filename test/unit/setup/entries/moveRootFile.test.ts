import { parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import type { ConfigOrigin } from "../../../../src/servers/definitions/config.ts";
import { InputValues } from "../../../../src/servers/definitions/inputValues.ts";
import { moveDetails, moveRootFile, planMove } from "../../../../src/setup/entries/moveRootFile.ts";
import { workspaceOrigin } from "../../servers/fixtures.ts";
import { MemoryText, writerScene } from "./memoryText.ts";

const rootOrigin: ConfigOrigin = {
	...workspaceOrigin,
	kind: "dot-mcp-json",
	label: ".mcp.json in ws",
	file: "/ws/.mcp.json",
};

const key = { type: "promptString", id: "key", description: "The key", password: true };
const root = `\uFEFF{\r
  // what the team uses\r
  "note": { "owner": "us" },\r
  "inputs": [${JSON.stringify(key)}],\r
  "mcpServers": {\r
    // stays where it is\r
    "files": {\r
      "command": "npx", // the launcher\r
      /* in order */\r
      "args": ["-y", "server-files", "\${HOME}/work", "\${LEVEL:-2}"],\r
      "somethingElse": [1, 2]\r
    },\r
    "acme": { "command": "node", "env": { "KEY": "\${input:key}" } },\r
    "team": { "command": "other" }\r
  }\r
}\r
`;
const target = '{\n\t// ours\n\t"servers": {\n\t\t"team": { "command": "node" } // mine\n\t}\n}\n';

function scene(rootText = root, targetText: string | undefined = target) {
	const writing = writerScene({ folder: targetText ?? "" });
	const from = new MemoryText(rootOrigin, rootText);
	const to = writing.texts.folder;
	const inputs = new InputValues(writing.secrets, async () => undefined);
	const services = {
		writer: writing.writer,
		inputs,
		refresh: async () => void writing.done.push("refresh"),
		revoke: async (id: string) => {
			writing.done.push(`revoke ${id}`);
			await inputs.forget(id);
		},
	};
	const plan = () => planMove({ origin: from.origin, text: from.text }, { origin: to.origin, text: to.text });
	return {
		...writing,
		from,
		to,
		inputs,
		services,
		plan,
		move: () => moveRootFile(services, { from, to, plan: plan() }),
	};
}

describe("Moving the servers of .mcp.json to .vscode/mcp.json (CFG-43)", () => {
	it("moves entries with their comments in the other file's format, and keeps everything else", async () => {
		const { from, to, move } = scene();
		await move();
		expect(to.text).toBe(`{
	// ours
	"servers": {
		"team": { "command": "node" }, // mine
		"files": {
			"command": "npx", // the launcher
			/* in order */
			"args": ["-y", "server-files", "\${env:HOME}/work", "\${env:LEVEL:-2}"],
			"somethingElse": [1, 2]
		},
		"acme": { "command": "node", "env": { "KEY": "\${input:key}" } }
	},
	"inputs": [
		{
			"type": "promptString",
			"id": "key",
			"description": "The key",
			"password": true
		}
	]
}
`);
		expect(parse(from.text.slice(1))).toEqual({
			note: { owner: "us" },
			mcpServers: { team: { command: "other" } },
		});
		expect(from.text).toContain("// what the team uses");
		expect(from.text).toContain("// stays where it is");
	});

	it("leaves both files unchanged to the byte when it is undone, and values in place", async () => {
		const { from, to, move, inputs, writer } = scene();
		const definitions = await writer.definitionsOf(from, from.text);
		const acme = [...definitions.values()].find(({ name }) => name === "acme");
		if (acme === undefined) throw new Error("no acme");
		await inputs.keep(acme, "key", "s3cret");
		const valueOf = async (text: MemoryText): Promise<unknown> => {
			const all = await writer.definitionsOf(text, text.text);
			const one = [...all.values()].find(({ name }) => name === "acme");
			return one && inputs.get(one, "key", () => false);
		};
		const { undo } = await move();
		expect(await valueOf(to)).toBe("s3cret");
		expect(await inputs.get(acme, "key", () => false)).toBeUndefined();
		await undo();
		expect([from.text, to.text]).toEqual([root, target]);
		expect(await valueOf(from)).toBe("s3cret");
	});

	it("deletes a file again that it made", async () => {
		const { from, to, move } = scene(root, "");
		to.isThere = false;
		const { undo } = await move();
		expect(parse(to.text)).toMatchObject({ servers: { files: {}, acme: {}, team: {} } });
		await undo();
		expect([from.text, to.isThere]).toEqual([root, false]);
	});

	it("withdraws approvals: the place counts", async () => {
		const { move, done } = scene();
		await move();
		expect(done.filter((one) => one.startsWith("revoke"))).toEqual([
			"revoke dot-mcp-json:/ws/.mcp.json#files",
			"revoke dot-mcp-json:/ws/.mcp.json#acme",
		]);
	});

	it("writes nothing if a file was changed since it was shown, is not JSON or cannot be written", async () => {
		const { from, to, services, plan } = scene();
		const shown = plan();
		from.text = root.replace("work", "play");
		await expect(moveRootFile(services, { from, to, plan: shown })).rejects.toThrow("nothing was moved");
		expect(to.text).toBe(target);

		const broken = scene("{ nothing");
		expect(() => broken.plan()).toThrow(".mcp.json in ws is not valid JSON");

		const locked = scene();
		locked.from.onWrite = () => {
			throw new Error("read-only");
		};
		await expect(locked.move()).rejects.toThrow("read-only");
		expect([locked.from.text, locked.to.text]).toEqual([root, target]);
	});

	it.each(["from", "to"] as const)("undoes nothing if the file was changed since (%s)", async (changed) => {
		const moving = scene();
		const { undo } = await moving.move();
		moving[changed].text = moving[changed].text.replace(/node/g, "deno").replace("us", "me");
		const left = [moving.from.text, moving.to.text];
		await expect(undo()).rejects.toThrow("nothing was undone");
		expect([moving.from.text, moving.to.text]).toEqual(left);
	});

	it("shows before what moves where, what is translated and what stays", () => {
		const details = moveDetails(scene().plan(), ".mcp.json in ws", ".vscode/mcp.json in ws");
		expect(details).toContain('"files", "acme": from .mcp.json in ws to .vscode/mcp.json in ws.');
		expect(details).toContain('become ${env:NAME} in "files"');
		expect(details).toContain('"team" cannot be moved');
		expect(details).toContain("need your approval again");
	});
});
