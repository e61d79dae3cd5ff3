import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createServer, placeFor } from "../../../../src/setup/templates/createServer.ts";
import { typescriptTemplate } from "../../../../src/setup/templates/serverTemplates.ts";

const template = typescriptTemplate("orders");

function emptyFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), "mcp-template-"));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	return folder;
}

describe("a new server from a template", () => {
	it("is created in the folder itself, with a name that no other server has", async () => {
		const folder = emptyFolder();
		const place = await placeFor(template, folder);
		const made = await createServer(template, place, { name: "orders", taken: new Set(["orders"]) });
		expect(readdirSync(folder).toSorted()).toEqual(["package.json", "server.ts"]);
		expect(made).toMatchObject({ name: "orders-2", entry: { command: "node", args: ["server.ts"] }, inputs: [] });
	});

	it("goes into a folder of its own where one of its files is there, and overwrites nothing", async () => {
		const folder = emptyFolder();
		writeFileSync(join(folder, "package.json"), "mine");
		const names = { name: "orders", taken: new Set<string>() };
		const first = await createServer(template, await placeFor(template, folder), names);
		const second = await createServer(template, await placeFor(template, folder), names);
		expect(readFileSync(join(folder, "package.json"), "utf8")).toBe("mine");
		expect(readdirSync(folder).toSorted()).toEqual(["mcp-server", "mcp-server-2", "package.json"]);
		expect([first.entry, second.entry]).toMatchObject([
			{ args: ["mcp-server/server.ts"], dev: { watch: "mcp-server/*.ts" } },
			{ args: ["mcp-server-2/server.ts"] },
		]);
	});

	it("is refused if a file was created meanwhile", async () => {
		const folder = emptyFolder();
		const place = await placeFor(template, folder);
		writeFileSync(join(folder, "server.ts"), "mine");
		await expect(createServer(template, place, { name: "orders", taken: new Set() })).rejects.toThrow(
			"was not created",
		);
		expect(readFileSync(join(folder, "server.ts"), "utf8")).toBe("mine");
	});
});
