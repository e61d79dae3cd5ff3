import { lintDefinitions } from "../../src/surfaces/doctor/lint.ts";
import { businessTools } from "../servers/businessTools.ts";
import { measure } from "./measure.ts";

/** Measures the check of the definitions of `size` new tools. */
export async function lint(size: number): Promise<Readonly<Record<string, number>>> {
	// As a client gets them: objects of its own.
	const tools: ReturnType<typeof businessTools> = JSON.parse(JSON.stringify(businessTools(size)));
	const facts = { capabilities: { tools: {} }, protocolVersion: "2025-11-25", era: "legacy" } as const;
	const { ms } = await measure(async () => {
		lintDefinitions({
			state: {
				kind: "running",
				facts: { ...facts, server: undefined, instructions: undefined, transport: "stdio", pid: undefined },
			},
			tools: {
				tools,
				prompts: [],
				resources: [],
				templates: [],
				tokens: undefined,
				isLazy: false,
				whyHidden: () => undefined,
			},
		});
	});
	return { total: ms };
}
