import { describe, expect, it } from "vitest";
import { waysOf } from "../../../../src/setup/serverJson/serverJson.ts";
import { trustNotes } from "../../../../src/setup/registry/trust.ts";
import { npmPackage } from "../../../servers/registryServer.ts";
import { server } from "./listedServer.ts";

describe("Facts for the decision to trust a server are shown in words (REG-06)", () => {
	const notes = (packages: readonly object[], daysOld = 100, first?: number, status?: string): string => {
		const found = server({ packages }, daysOld, status);
		const [way] = waysOf(found).ways;
		if (way === undefined) throw new Error("It has no way.");
		return trustNotes(found, way, { now: Date.now(), first }).join("\n");
	};
	const day = 24 * 60 * 60 * 1000;

	it.each([
		"@modelcontextprotoco1/server-filesystem",
		"@modelcontextprotocol-server/filesystem",
		"@modelcontextprotocol/server-filesytem",
		"@playwrlght/mcp",
		"mcp_remote",
		"chrome-devtool-mcp",
	])("that %s is close to a well-known name", (name) => {
		expect(notes([npmPackage(name)])).toMatch(/^Its name is similar to the well-known package “/);
	});

	it.each(["@modelcontextprotocol/server-filesystem", "@acme/weather", "mcp-remote", "mcp", "my-mcp"])(
		"and nothing for %s",
		(name) => expect(notes([npmPackage(name)])).toBe(""),
	);

	it("that it is new, deprecated, or not fixed", () => {
		expect(notes([npmPackage("a")], 2)).toContain("This version was published 2 days ago.");
		expect(notes([npmPackage("a")], 2, Date.now() - 2 * day)).toContain("It was first published 2 days ago.");
		expect(notes([npmPackage("a")], 2, Date.now() - 300 * day)).toContain("This version was published 2 days ago.");
		expect(notes([npmPackage("a")], 8)).toBe("");
		expect(notes([npmPackage("a")], 100, undefined, "deprecated")).toContain("has deprecated it");
		expect(notes([npmPackage("a", { version: undefined })])).toContain("no fixed version");
		expect(notes([{ registryType: "oci", identifier: "acme/a:1" }])).toContain("no fixed hash");
		expect(notes([{ registryType: "oci", identifier: `acme/a@sha256:${"0".repeat(64)}` }])).toBe("");
	});
});
