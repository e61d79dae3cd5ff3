import { setTimeout as delay } from "node:timers/promises";
import type { ServerContext } from "@modelcontextprotocol/server";
import * as z from "zod";
import { cities, findCity, type City } from "../world/cities.ts";
import { isDate } from "../world/dates.ts";

/** A date argument, written `YYYY-MM-DD`. */
export function dateField(description: string): z.ZodType<string, string> {
	return z
		.string()
		.refine(isDate, "is not a date written YYYY-MM-DD")
		.meta({ description: `${description}, written YYYY-MM-DD`, format: "date" });
}

/** A city argument, which must be one that the demo knows; the handler gets the city. */
export function cityField(description: string): z.ZodType<City, string> {
	return z
		.string()
		.transform((name, context): City => {
			const city = findCity(name);
			if (city !== undefined) return city;
			const known = cities.map(({ name }) => name).join(", ");
			context.addIssue({ code: "custom", message: `${name} is not a city of the demo. It knows ${known}.` });
			return z.NEVER;
		})
		.meta({ description });
}

/** One step of a tool's work, of so many. Numbers must grow within a call, over its retries as well (specification, "Progress"). */
export interface WorkStep {
	readonly number: number;
	readonly of: number;
	readonly message: string;
}

/**
 * Does a step of pretended work: reports it as progress (if the caller asked) and as a log message, and takes its time.
 * Rejects when the call is cancelled.
 */
export async function work({ mcpReq }: ServerContext, pace: number, step: WorkStep): Promise<void> {
	const progressToken = mcpReq._meta?.progressToken;
	if (progressToken !== undefined) {
		const params = { progressToken, progress: step.number, total: step.of, message: step.message };
		await mcpReq.notify({ method: "notifications/progress", params });
	}
	// oxlint-disable-next-line typescript/no-deprecated -- deprecated in 2026-07-28 but in force, and the host has to show it
	await mcpReq.log("info", step.message, "travel");
	await delay(pace, undefined, { signal: mcpReq.signal });
}
