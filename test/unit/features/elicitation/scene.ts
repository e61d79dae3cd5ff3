import type { ElicitResult } from "@modelcontextprotocol/client";
import { CollectedNotes } from "../../records/activity/collectedNotes.ts";
import { silentLog } from "../../../../src/base/log.ts";
import { PendingDecisions } from "../../../../src/questions/decisions/pendingDecisions.ts";
import { DecisionQueue } from "../../../../src/questions/decisions/queue.ts";
import { InlineQuestions, type InlineEvent, type InlinePlace } from "../../../../src/features/elicitation/inline.ts";
import { ElicitationService } from "../../../../src/features/elicitation/service.ts";
import type { FormSession } from "../../../../src/questions/form/formSession.ts";
import { RequestLog } from "../../../../src/servers/sessions/requestLog.ts";
import type { Session, SessionState } from "../../../../src/servers/sessions/session.ts";
import type { ElicitationRequest } from "../../../../src/protocol/connection.ts";

/** The part of a session that elicitation uses. */
export type FakeSession = Session & { state: SessionState };

export function fakeSession(name = "travel", id = `user:${name}`): FakeSession {
	return {
		definition: { name, id },
		state: { kind: "running" },
		requestLog: new RequestLog(),
	} as unknown as FakeSession;
}

/** The service with a user who sees forms and has a browser and a clipboard. */
export class Scene {
	readonly pending = new PendingDecisions();
	readonly inline = new InlineQuestions();
	readonly notes = new CollectedNotes();
	/** The forms that were shown in panels, and why. */
	readonly forms: FormSession[] = [];
	readonly reasons: string[] = [];
	readonly opened: string[] = [];
	readonly copied: string[] = [];
	/** The waits, and whether they are over. */
	readonly waits: { readonly title: string; readonly over: AbortSignal }[] = [];
	openExternal: (url: string) => Promise<boolean> = async () => true;
	externalAddress: (url: string) => Promise<string> = async (url) => url;
	readonly controller = new AbortController();
	readonly session: FakeSession;
	readonly service: ElicitationService;

	constructor(session: FakeSession = fakeSession()) {
		this.session = session;
		this.service = new ElicitationService({
			queue: new DecisionQueue(this.pending),
			inline: this.inline,
			notes: this.notes,
			log: silentLog,
			show: (form, reason) => {
				this.forms.push(form);
				this.reasons.push(reason);
			},
			externalAddress: (url) => this.externalAddress(url),
			openExternal: (url) => {
				this.opened.push(url);
				return this.openExternal(url);
			},
			copy: async (text) => void this.copied.push(text),
			showWaiting: (title, over) => void this.waits.push({ title, over }),
		});
	}

	/** The last shown form. */
	get form(): FormSession {
		const form = this.forms.at(-1);
		if (form === undefined) throw new Error("No form was shown.");
		return form;
	}

	ask(
		request: object,
		during?: string,
		session = this.session,
		signal = this.controller.signal,
	): Promise<ElicitResult> {
		return this.service.elicit(session, request as ElicitationRequest, {
			signal,
			protocolVersion: "2025-11-25",
			during,
			exchange: "here-1",
		});
	}

	/** Lets a chat turn call a tool of the server; returns its messages there. */
	chat(
		during = "tools/call book",
		session = this.session,
	): { readonly events: InlineEvent[]; readonly place: InlinePlace; close(): void } {
		const events: InlineEvent[] = [];
		const place = { id: crypto.randomUUID(), show: (event: InlineEvent) => void events.push(event) };
		const opened = this.inline.open(session, during, place);
		return { events, place, close: () => opened.dispose() };
	}
}

export const formRequest = {
	message: "Where to?\u202E",
	requestedSchema: {
		type: "object",
		properties: { city: { type: "string" }, nights: { type: "integer", default: 2 } },
		required: ["city"],
	},
};

export const pageRequest = {
	mode: "url",
	message: "Sign in",
	elicitationId: "1",
	url: "https://example.com/sign-in?x=1",
};

/** A form of one field. */
export function formOf(schema: object, isRequired = true): object {
	return {
		message: "One thing",
		requestedSchema: { type: "object", properties: { value: schema }, required: isRequired ? ["value"] : [] },
	};
}
