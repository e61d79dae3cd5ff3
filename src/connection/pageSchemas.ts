import {
	specTypeSchemas,
	type Prompt,
	type Resource,
	type ResourceTemplateType,
	type StandardSchemaV1,
	type Tool,
} from "@modelcontextprotocol/client";
import { setImmediate as breathe } from "node:timers/promises";
import { isJsonObject, type Json } from "../base/json.ts";
import { oneLine } from "../base/text.ts";
import type { Page } from "../servers/managedList.ts";
import { asSent } from "./heldAnswers.ts";

/** How long the check of a page may keep the event loop from anything else, in milliseconds. */
const sliceMs = 8;

/** What a page of each list must be. */
export interface PageSchemas {
	readonly tools: StandardSchemaV1<unknown, Page<Tool>>;
	readonly prompts: StandardSchemaV1<unknown, Page<Prompt>>;
	readonly resources: StandardSchemaV1<unknown, Page<Resource>>;
	readonly resourceTemplates: StandardSchemaV1<unknown, Page<ResourceTemplateType>>;
}

/** The schemas of the protocol's lists; see `pageSchema`. */
export function pageSchemas(onRefused: (why: string) => void): PageSchemas {
	return {
		tools: pageSchema("tools", specTypeSchemas.Tool, onRefused),
		prompts: pageSchema("prompts", specTypeSchemas.Prompt, onRefused),
		resources: pageSchema("resources", specTypeSchemas.Resource, onRefused),
		resourceTemplates: pageSchema("resourceTemplates", specTypeSchemas.ResourceTemplate, onRefused),
	};
}

/**
 * The schema of one page of a list, whose items stand under `member` and are each checked by `schema`: ten thousand in a
 * page block nobody (performance.md), and one that breaks the protocol is left out instead of failing the list.
 * `onRefused` gets words for the log about those.
 */
function pageSchema<T>(
	member: string,
	schema: StandardSchemaV1<unknown, T>,
	onRefused: (why: string) => void,
): StandardSchemaV1<unknown, Page<T>> {
	return asSent({
		"~standard": {
			version: 1,
			vendor: "mcp-host",
			async validate(page) {
				const entries = isJsonObject(page) ? (page as { readonly [key: string]: unknown })[member] : undefined;
				if (!isJsonObject(page) || !Array.isArray(entries)) return { issues: [{ message: `There are no ${member}.` }] };
				// Some servers write null for the cursor that they do not have.
				const nextCursor = (page as { nextCursor?: Json }).nextCursor ?? undefined;
				if (nextCursor !== undefined && typeof nextCursor !== "string") {
					return { issues: [{ message: "The cursor is no text." }] };
				}
				const items: T[] = [];
				let refused = 0;
				let first = "";
				let sliceEnd = performance.now() + sliceMs;
				for (const entry of entries as readonly unknown[]) {
					const outcome = schema["~standard"].validate(entry);
					// The schemas of the SDK answer at once; a promise for each item would be most of the work.
					const result = outcome instanceof Promise ? await outcome : outcome;
					if (result.issues === undefined) items.push(result.value);
					else if (refused++ === 0) first = words(entry, result.issues);
					if (performance.now() < sliceEnd) continue;
					await breathe();
					sliceEnd = performance.now() + sliceMs;
				}
				if (refused > 0) {
					onRefused(`${refused} of ${entries.length} ${member} break the protocol and are left out. First ${first}`);
				}
				return { value: { items, nextCursor } };
			},
		},
	});
}

function words(entry: unknown, [issue]: readonly StandardSchemaV1.Issue[]): string {
	const name = isJsonObject(entry) ? (entry["name"] ?? entry["uri"] ?? entry["uriTemplate"]) : undefined;
	const path = issue?.path?.map((part) => (typeof part === "object" ? part.key : part).toString()).join(".") ?? "";
	return oneLine(`${typeof name === "string" ? name : "unnamed"}: ${path} ${issue?.message ?? ""}`, 300);
}
