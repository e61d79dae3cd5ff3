import { lintDefinitions } from "../../src/surfaces/doctor/lint.ts";
import { businessTools } from "../servers/businessTools.ts";
import { measure } from "./measure.ts";

/** What it takes to check the definitions of `size` tools, none of which anybody has looked at before. */
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
