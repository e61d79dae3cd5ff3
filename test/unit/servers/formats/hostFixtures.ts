import { desktopFixtures } from "./desktopFixtures.ts";
import { terminalFixtures } from "./terminalFixtures.ts";
import type { JsonObject } from "../../../../src/base/json.ts";
import type { ForeignHostId } from "../../../../src/servers/formats/hosts.ts";

/** A configuration of a host in the shape of its own documentation, and its content in the words of an `mcp.json`. */
export interface HostFixture {
	readonly host: ForeignHostId;
	/** The documentation that describes the shape. */
	readonly source: string;
	/** Where the host has it, from the home folder of a Linux machine. */
	readonly path: string;
	readonly text: string;
	readonly servers: Readonly<Record<string, JsonObject>>;
	/** The names of those that are turned off. */
	readonly off?: readonly string[];
	/** The names of entries that are not servers elsewhere. */
	readonly refused?: readonly string[];
}

/** One configuration of each host. */
export const hostFixtures: readonly HostFixture[] = [...desktopFixtures, ...terminalFixtures];
