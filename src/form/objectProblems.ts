import { oneLine } from "../base/text.ts";
import type { SchemaProblem } from "../schema/schema.ts";
import type { JsonPath } from "./jsonPath.ts";

/** What the validator says of a value, by place. */
export class ObjectProblems {
	private readonly problems: readonly SchemaProblem[];

	constructor(problems: readonly SchemaProblem[]) {
		this.problems = problems;
	}

	/** What is said of the very value at a place. */
	at(path: JsonPath): readonly string[] {
		return this.problems
			.filter((problem) => problem.path.length === path.length && isWithin(problem.path, path))
			.map(({ message }) => message);
	}

	/** What is said of a value or of anything in it, each with where in it. */
	within(path: JsonPath): readonly string[] {
		return this.problems
			.filter((problem) => isWithin(problem.path, path))
			.map(({ path: place, message }) => {
				const rest = place.slice(path.length);
				return rest.length === 0 ? message : `${oneLine(rest.join("/"))}: ${message}`;
			});
	}
}

function isWithin(place: JsonPath, outer: JsonPath): boolean {
	return outer.every((key, index) => place[index] === key);
}
