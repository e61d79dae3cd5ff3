/**
 * `npm run positions [-- --maps FOLDER] < STACK`: prints a stack of the packaged extension with the places of the sources, read from
 * the source maps that `npm run package` leaves beside the package. Check out the sources of that version first.
 */
import { existsSync } from "node:fs";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { runTask, SetupError } from "../editor/progress.ts";
import { mapsFolder } from "./paths.ts";
import { withSourcePositions } from "./sourcePositions.ts";

await runTask(async () => {
	const { values } = parseArgs({ options: { maps: { type: "string" } } });
	const maps = values.maps ?? mapsFolder;
	if (!existsSync(maps))
		throw new SetupError(`${maps} does not exist: run \`npm run package\`, or name the folder of a release.`);
	process.stdout.write(withSourcePositions(await text(process.stdin), maps));
	return 0;
});
