import type { CreateMessageRequestParams } from "@modelcontextprotocol/client";
import type { ModelEvent } from "../../src/models/model.ts";
import { respond } from "../../src/models/openai.ts";
import { toolUseOf, toResult, type CompletionPart } from "../../src/sampling/answer.ts";
import { readCompletion } from "../../src/sampling/completionDraft.ts";
import { readDraft } from "../../src/sampling/draft.ts";
import type { ApprovedRequest } from "../../src/sampling/fields.ts";
import { readSamplingRequest, type SamplingRequest } from "../../src/sampling/request.ts";
import { stoppingAt } from "../../src/sampling/stopSequences.ts";
import type { ServerRequestHandler } from "../../src/servers/session.ts";
import { startScriptedModel, type ScriptedModel } from "../servers/scriptedModel.ts";
import { targetAt } from "../unit/models/asking.ts";
import { edits } from "../unit/sampling/edits.ts";
import type { TestHost } from "./testHost.ts";

type Edits = ReturnType<typeof edits>;

/** What the person makes of a request, and how its texts were shown at first. */
export interface Decided {
	readonly draft: Edits;
	readonly originals?: ReadonlyMap<string, string>;
}

/** Everything that a sampling request goes through but the person's screen, with a scripted endpoint as the model. */
export class SamplingDesk implements AsyncDisposable {
	readonly model: ScriptedModel;
	readonly asked: CreateMessageRequestParams[] = [];
	decide: (request: SamplingRequest) => Decided = () => ({ draft: edits() });
	/** What the person changes of the completion. */
	completion: Pick<Edits, "changes" | "removed"> = edits();

	private constructor(model: ScriptedModel, host: TestHost) {
		this.model = model;
		host.host.answerWith({
			elicit: () => Promise.reject(new Error("Nobody asks a form.")),
			createMessage: (session, params) => {
				this.asked.push(params);
				const { state } = session;
				return this.answer(params, state.kind === "running" ? state.facts.protocolVersion : undefined);
			},
		});
	}

	static async open(host: TestHost): Promise<SamplingDesk> {
		return new SamplingDesk(await startScriptedModel(), host);
	}

	[Symbol.asyncDispose](): Promise<void> {
		return this.model.close();
	}

	private async answer(
		params: CreateMessageRequestParams,
		revision: string | undefined,
	): ReturnType<ServerRequestHandler["createMessage"]> {
		const request = readSamplingRequest(params, revision);
		const { draft, originals = new Map<string, string>() } = this.decide(request);
		const approved = readDraft(request, originals, draft);
		if ("problem" in approved) throw new Error(approved.problem);
		let text = "";
		const uses: CompletionPart[] = [];
		let done: Extract<ModelEvent, { type: "done" }> | undefined;
		for await (const event of stoppingAt(this.ask(approved), approved.stopSequences)) {
			if (event.type === "text") text += event.text;
			if (event.type === "done") done = event;
			if (event.type !== "tool-call") continue;
			const use = toolUseOf(event, approved);
			if ("problem" in use) throw new Error(use.problem);
			uses.push(use);
		}
		const parts = readCompletion([{ type: "text", text }, ...uses], this.completion);
		if ("problem" in parts) throw new Error(parts.problem);
		return toResult({ parts, model: done?.model ?? "", stopReason: done?.stopReason }, request);
	}

	private ask({ messages, temperature, toolChoice, metadata, ...rest }: ApprovedRequest): AsyncIterable<ModelEvent> {
		return respond(targetAt(this.model.url, { images: true }), messages, {
			...rest,
			signal: new AbortController().signal,
			...(temperature === undefined ? {} : { temperature }),
			...(toolChoice === undefined ? {} : { toolChoice }),
			...(metadata === undefined ? {} : { metadata }),
		});
	}
}
