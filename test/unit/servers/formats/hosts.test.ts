/** A configuration of each host, in the shape of its own documentation (IMP-01). */
import { describe, expect, it } from "vitest";
import { foreignHost, hostOf } from "../../../../src/servers/formats/hosts.ts";
import { readConfiguration } from "../../../../src/servers/formats/readConfiguration.ts";
import { parseConfig } from "../../../../src/servers/definitions/parseConfig.ts";
import { userOrigin } from "../fixtures.ts";
import { hostFixtures } from "./hostFixtures.ts";

describe.each(hostFixtures)(
	"A configuration of $host (IMP-01)",
	({ host, path, text, servers, off = [], refused = [] }) => {
		const read = readConfiguration(text, host);

		it("becomes entries of an mcp.json", () => {
			expect(Object.fromEntries((read?.servers ?? []).map(({ name, entry }) => [name, entry]))).toEqual(servers);
			expect(read?.servers.filter(({ isOff }) => isOff).map(({ name }) => name)).toEqual(off);
			expect(read?.refused.map(({ name = "" }) => name)).toEqual(refused);
			expect(read?.format).toContain(foreignHost(host).label);
		});

		it("provides valid definitions, with the inputs that they refer to", () => {
			const inputs = read?.servers.flatMap((server) => server.inputs) ?? [];
			const value = Object.fromEntries((read?.servers ?? []).map(({ name = "", entry }) => [name, entry]));
			const parsed = parseConfig({ origin: userOrigin, content: { value, inputs } });
			expect(parsed.problems).toEqual([]);
			expect(parsed.definitions.map(({ name }) => name)).toEqual(Object.keys(servers));
			for (const { config, inputs: used } of parsed.definitions) {
				const ids = [...JSON.stringify(config).matchAll(/\$\{input:([^}]*)\}/g)].map(([, id]) => id);
				expect(new Set(used.map(({ id }) => id))).toEqual(new Set(ids));
			}
		});

		it("is not mistaken for another by its path", () => {
			const known = hostOf(`/home/me/${path}`)?.id;
			expect(known ?? host).toBe(host);
		});
	},
);
