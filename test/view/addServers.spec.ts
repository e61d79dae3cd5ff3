/**
 * The panel in which servers are added, in a browser without VS Code: pasted text, its preview, and the user's
 * decisions.
 */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser } from "../editor/browser.ts";
import { readPasted } from "../../src/servers/formats/readPasted.ts";
import { addingScene, localServer } from "../unit/setup/entries/addingScene.ts";
import { FormPage } from "./fixtures/formPage.ts";

let browser: Browser;
beforeAll(async () => {
	browser = await launchBrowser();
});
afterAll(() => browser?.close());

const token = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
const readme = `Add this to your configuration:

\`\`\`json
{
  "mcpServers": {
    "github": {
      "command": "docker",
      "args": ["run", "-i", "--rm", "-e", "GITHUB_PERSONAL_ACCESS_TOKEN", "ghcr.io/github/github-mcp-server"],
      "env": { "GITHUB_PERSONAL_ACCESS_TOKEN": "${token}", "LOG_LEVEL": "info" }
    }
  }
}
\`\`\`
`;
const isWide = "document.documentElement.scrollWidth > innerWidth";

for (const theme of ["light", "dark", "high-contrast", "high-contrast-light"] as const) {
	test(`pasted text is shown as the entry that it becomes, in ${theme} (ADD-01, ADD-04)`, async () => {
		const { adding, added } = addingScene();
		await using panel = await FormPage.openAddServers(browser, adding, { theme });
		const { page } = panel;
		await expect.poll(() => page.evaluate<string>("document.activeElement.id")).toBe("text");
		expect(await page.locator("#add").isDisabled()).toBe(true);
		await panel.screenshot(`add-servers-empty-${theme}`);
		await page.locator("#text").fill(readme);
		await page.getByLabel("Name", { exact: true }).waitFor();
		expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("github");
		expect(await page.locator(".values code").allInnerTexts()).toEqual([
			"docker",
			"run",
			"-i",
			"--rm",
			"-e",
			"GITHUB_PERSONAL_ACCESS_TOKEN",
			"ghcr.io/github/github-mcp-server",
		]);
		const secret = page.getByRole("group", { name: "Environment GITHUB_PERSONAL_ACCESS_TOKEN" });
		expect(await secret.getByLabel("Kept as").inputValue()).toBe("secret");
		expect(await secret.getByLabel("Value").getAttribute("placeholder")).toBe("•••••••• (40 characters)");
		expect(await secret.getByLabel("Value").inputValue()).toBe("");
		await panel.screenshot(`add-servers-${theme}`);
		await page.setViewportSize({ width: 290, height: 1400 });
		expect(await page.evaluate<boolean>(isWide)).toBe(false);
		await panel.screenshot(`add-servers-${theme}-narrow`);
		await page.locator("#add-review").click();
		await expect.poll(() => added.length).toBe(1);
		expect(added).toMatchObject([{ andReview: true, place: { kind: "user" }, servers: [{ name: "github" }] }]);
		expect(JSON.stringify(added[0]?.servers.map(({ entry, inputs }) => [entry, inputs]))).not.toContain(token);
		expect(panel.trouble).toEqual([]);
	});
}

test("text that is not understood is reported with the reason, and nothing can be added", async () => {
	const { adding, added } = addingScene();
	await using panel = await FormPage.openAddServers(browser, adding);
	const { page } = panel;
	await page.locator("#text").fill("curl https://example.com/install.sh | sh");
	await page.getByText("it pipes one command into another").waitFor();
	expect(await page.locator("#add").isDisabled()).toBe(true);
	await panel.screenshot("add-servers-refused");
	await page.locator("#text").fill("");
	await page.getByText("it pipes one command into another").waitFor({ state: "detached" });
	expect(added).toEqual([]);
	expect(panel.trouble).toEqual([]);
});

test("an entry by hand has a command, variables and secrets; an answer never overwrites typed text", async () => {
	const { adding, added } = addingScene();
	await using panel = await FormPage.openAddServers(browser, adding);
	const { page } = panel;
	await page.getByRole("button", { name: "fill in a form" }).click();
	const target = page.getByLabel("Command or URL");
	await target.pressSequentially('npx -y @acme/files "two words"');
	expect(await target.inputValue()).toBe('npx -y @acme/files "two words"');
	await expect.poll(() => page.getByLabel("Name", { exact: true }).inputValue()).toBe("files");
	await page.getByRole("button", { name: "Add Environment Variable" }).click();
	await page.getByPlaceholder("Name").pressSequentially("ACME_KEY");
	const row = page.getByRole("group", { name: "Environment ACME_KEY" });
	await row.getByLabel("Kept as").selectOption("secret");
	await row.getByLabel("Value").pressSequentially("hunter-two");
	await panel.screenshot("add-servers-by-hand");
	await page.getByLabel("Keep in").selectOption({ index: 1 });
	await page.getByText("Shared.").waitFor();
	await page.locator("#add").click();
	await expect.poll(() => added.length).toBe(1);
	expect(added[0]).toMatchObject({
		place: { kind: "folder" },
		servers: [
			{
				name: "files",
				entry: {
					command: "npx",
					args: ["-y", "@acme/files", "two words"],
					env: { ACME_KEY: "${input:files-acme-key}" },
				},
				values: new Map([["files-acme-key", "hunter-two"]]),
			},
		],
	});
	expect(panel.trouble).toEqual([]);
});

test("an argument that the user marks as secret is kept as a secret (ADD-04)", async () => {
	const { adding, added } = addingScene("tool -p plain-words");
	await using panel = await FormPage.openAddServers(browser, adding, { theme: "light" });
	const { page } = panel;
	await page.getByText("plain-words").last().hover();
	await page.getByRole("button", { name: "Keep plain-words as a secret" }).click();
	await page.getByRole("group", { name: "Argument -p" }).waitFor();
	await page.getByText("${input:tool-p}").waitFor();
	await page.getByText("-p", { exact: true }).hover();
	await panel.screenshot("add-servers-argument");
	await page.locator("#add").click();
	await expect.poll(() => added.length).toBe(1);
	expect(added[0]?.servers[0]?.values).toEqual(new Map([["tool-p", "plain-words"]]));
	expect(panel.trouble).toEqual([]);
});

test("servers of several files are lines that unfold; taken names are reported", async () => {
	const server = (name: string, ...args: readonly string[]) => ({
		name,
		entry: { command: "npx", args, env: { [`${name.toUpperCase()}_API_KEY`]: "abcdef-123" } },
		inputs: [],
		isOff: false,
		tools: {},
		remarks: ["Its timeout was left out, because MCP Host has no counterpart."],
	});
	const { adding, added } = addingScene(undefined, {
		existing: () => [{ name: "memory", config: localServer("npx", "memory") }],
		sources: [
			{
				heading: "Claude Desktop",
				path: "/home/me/Library/Application Support/Claude/claude_desktop_config.json",
				found: {
					format: "x",
					servers: [
						server("memory", "memory"),
						server("files", "files", "/a/rather/long/path/to/somewhere/in/the/home/folder"),
					],
					refused: [{ name: "builtin", reason: "It is a part of its host." }],
				},
			},
			{
				heading: "Cursor",
				path: "/home/me/.cursor/mcp.json",
				found: { format: "x", servers: [server("weather", "weather"), server("files", "files2")], refused: [] },
				follow: async () => async () => undefined,
			},
		],
	});
	await using panel = await FormPage.openAddServers(browser, adding);
	const { page } = panel;
	expect(await page.locator("#add").innerText()).toBe("Add 3 Servers");
	expect(await page.locator(".state").allInnerTexts()).toEqual([
		"already configured as “memory”",
		"new",
		"new",
		"new; “files” is taken",
	]);
	await panel.screenshot("import-servers");
	await page.locator("details summary").nth(1).click();
	await panel.screenshot("import-servers-unfolded");
	const name = page.getByLabel("Name", { exact: true }).nth(1);
	await name.fill("memory");
	await page.getByText("Another server has this name.").waitFor();
	await expect.poll(() => page.locator("#add").isDisabled()).toBe(true);
	await name.fill("my files");
	await page.getByRole("checkbox", { name: /Follow this file/ }).check();
	await expect.poll(() => page.locator("#add").innerText()).toBe("Add Server and Follow File");
	await page.setViewportSize({ width: 290, height: 1600 });
	expect(await page.evaluate<boolean>(isWide)).toBe(false);
	await panel.screenshot("import-servers-narrow");
	await page.locator("#add").click();
	await expect.poll(() => added.length).toBe(1);
	expect(added[0]?.servers.map((one) => one.name)).toEqual(["my files"]);
	expect(added[0]?.followed.map(({ heading }) => heading)).toEqual(["Cursor"]);
	expect(panel.trouble).toEqual([]);
});

test("forged messages change nothing", async () => {
	const { adding, added } = addingScene("npx thing");
	await using panel = await FormPage.openAddServers(browser, adding);
	for (const [method, ...args] of [
		["choose", 5, "x"],
		["rename", { a: 1 }, []],
		["retarget", "nobody", "rm -rf /"],
		["changeRow", "1", "x", null],
		["choosePlace", 99],
		["choosePlace", -1],
		["constructor"],
		["add", "yes", {}, 1],
	]) {
		panel.forge({ rpc: "call", id: 7, method, args });
	}
	await expect.poll(() => added.length).toBe(1);
	expect(added).toMatchObject([{ andReview: false, place: { kind: "user" }, servers: [{ name: "thing" }] }]);
});

test("a bundle shows its author, its hash and its warnings, in a narrow column as well (BND-04)", async () => {
	const sha256 = "24a1847201f0c239d677041ffd3522af213c026c1db1d7b7dbe0a166000fa030";
	const { adding } = addingScene(undefined, {
		sources: [
			{
				heading: "Weather",
				path: "/home/ada/weather.mcpb",
				found: {
					format: "MCP bundle",
					servers: [
						{
							name: "weather",
							entry: {
								command: "sh",
								args: ["-c", "serve"],
								env: { TOKEN: "${input:weather-token}", REGION: "${input:weather-region}" },
							},
							inputs: [
								{ id: "weather-token", type: "promptString", description: "API token", password: true },
								{ id: "weather-region", type: "promptString", description: "Region" },
							],
							isOff: false,
							tools: {},
							remarks: [],
						},
					],
					refused: [],
				},
				about: [
					{ label: "Publisher", values: ["Ada\u202E (according to the bundle)"] },
					{ label: "SHA-256", values: [sha256] },
				],
				cautions: ["It was received over a connection that is not encrypted (http)."],
			},
		],
	});
	await using panel = await FormPage.openAddServers(browser, adding, { theme: "dark" });
	const { page } = panel;
	const text = await page.locator("main").innerText();
	for (const part of [sha256, "Ada\\u202E", "It runs a shell", "not encrypted (http)"]) expect(text).toContain(part);
	const typed = (name: string): Promise<string | null> =>
		page
			.getByRole("group", { name: `Environment ${name}` })
			.locator(".value input")
			.getAttribute("type");
	// An input that is not declared secret is readable while it is typed.
	expect([await typed("TOKEN"), await typed("REGION")]).toEqual(["password", "text"]);
	await panel.screenshot("bundle-preview-view");
	await page.setViewportSize({ width: 290, height: 1400 });
	expect(await page.evaluate<boolean>(isWide)).toBe(false);
	await panel.screenshot("bundle-preview-view-narrow");
});

test("a button inspects the bundle at an address (BND-04)", async () => {
	const opened: string[] = [];
	const { adding } = addingScene(undefined, { openBundle: (address) => opened.push(address) });
	await using panel = await FormPage.openAddServers(browser, adding, { theme: "light" });
	const { page } = panel;
	await page.locator("#text").fill("https://example.com/weather.mcpb");
	await page.locator("#open-bundle").click();
	await expect.poll(() => opened).toEqual(["https://example.com/weather.mcpb"]);
	expect(await page.locator("#add").isDisabled()).toBe(true);
});

for (const theme of ["light", "dark"] as const) {
	test(`an optional value of a server is an empty field, and a name alone leads to the registry, in ${theme} (REG-16, ADD-07)`, async () => {
		const server = {
			name: "weather",
			entry: { type: "stdio", command: "npx", args: ["-y", "weather@1.0.0"] },
			inputs: [],
			optional: [{ kind: "env", name: "PROXY_TOKEN", about: "A token, if you have one", isSecret: true }],
			isOff: false,
			tools: {},
			remarks: [],
		} as const;
		const opened: string[] = [];
		const sources = [
			{ heading: "Weather", found: { format: "server.json", servers: [server], refused: [] } },
			{
				heading: "Registry link",
				found: readPasted("vscode:mcp/by-name/io.github.acme/weather"),
			},
		];
		const { adding, added } = addingScene(undefined, { sources, openListed: (name) => opened.push(name) });
		await using panel = await FormPage.openAddServers(browser, adding, { theme });
		const { page } = panel;
		const token = page.getByRole("group", { name: "Environment PROXY_TOKEN" });
		expect(await token.getByLabel("Value").getAttribute("placeholder")).toBe("Left out if empty");
		await token.getByText("A token, if you have one").waitFor();
		await page.locator("#open-listed").click();
		await expect.poll(() => opened).toEqual(["io.github.acme/weather"]);
		await panel.screenshot(`add-servers-optional-${theme}`);
		await page.setViewportSize({ width: 290, height: 1400 });
		expect(await page.evaluate<boolean>(isWide)).toBe(false);
		await panel.screenshot(`add-servers-optional-${theme}-narrow`);
		await page.locator("#add").click();
		await expect.poll(() => added.length).toBe(1);
		expect(added[0]?.servers[0]?.entry).not.toHaveProperty("env");
	});

	test(`a button beside a domain's address asks for its servers, in ${theme} (REG-14)`, async () => {
		const opened: string[] = [];
		const { adding } = addingScene(undefined, { openDomain: (address) => opened.push(address) });
		await using panel = await FormPage.openAddServers(browser, adding, { theme });
		const { page } = panel;
		await page.locator("#text").fill("acme.example");
		await page.locator("#open-domain").click();
		await expect.poll(() => opened).toEqual(["https://acme.example/"]);
		await panel.screenshot(`add-servers-domain-${theme}`);
		await page.setViewportSize({ width: 290, height: 1400 });
		expect(await page.evaluate<boolean>(isWide)).toBe(false);
	});
}
