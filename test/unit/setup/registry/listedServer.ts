import { expect } from "vitest";
import { readPage, type RegistryServer } from "../../../../src/setup/serverJson/registryServer.ts";
import { type DefinedWay, waysOf } from "../../../../src/setup/serverJson/serverJson.ts";
import { registryEntry } from "../../../servers/registryServer.ts";

/** A server as a registry lists it, published so many days ago. */
export function server(more: object, daysOld?: number, status?: string): RegistryServer {
	const [found] =
		readPage({ servers: [registryEntry("io.github.acme/weather", more, daysOld, status)] })?.servers ?? [];
	if (found === undefined) throw new Error("It is none.");
	return found;
}

/** The ways whose definition is in the `server.json`, none of them refused. */
export function definedWays(more: object): readonly DefinedWay[] {
	const { ways, refused } = waysOf(server(more));
	expect(refused).toEqual([]);
	return ways.flatMap((way) => ("bundle" in way ? [] : [way]));
}
