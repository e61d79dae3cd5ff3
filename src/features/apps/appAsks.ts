import type { ActivityNotes } from "../../records/activity/journal/entry.ts";
import { readableSize } from "../../base/amounts.ts";
import { cap, showHidden } from "../../base/text.ts";
import { readUrl } from "../../base/url.ts";
import type { OfferedFile } from "./appDownloads.ts";
import type { Session } from "../../servers/sessions/session.ts";
import type { AppQuestions, AppQuestionStep } from "./appQuestions.ts";
import { AppRefusal, rpcCodes } from "./bridgeMessages.ts";

/** The host's actions for an app after the user agrees. */
export interface AppAskServices {
	/** Opens a page in the user's browser. */
	readonly openExternal: (href: string) => Promise<boolean>;
	/** Puts a text into the input of the chat, which the user sends or not. */
	readonly draft: (text: string) => Promise<void>;
	/** Has the user choose a place for a file, and writes it there unless the signal was aborted; false when it is not. */
	readonly saveFile: (file: OfferedFile, signal: AbortSignal) => Promise<boolean>;
}

const longestDraft = 20_000;
/** After this many denials an app is refused without a question, until it is reloaded. */
const mostRefusals = 3;

/** The requests of an app that are not tool calls. Each waits for the user, who sees exactly what would happen. */
export class AppAsks {
	private readonly questions: AppQuestions;
	/** Who asks, in words fit for one line. */
	private readonly who: string;
	private readonly services: AppAskServices;
	private refusals = 0;

	constructor(questions: AppQuestions, who: string, services: AppAskServices) {
		this.questions = questions;
		this.who = who;
		this.services = services;
	}

	/**
	 * Opens a page in the browser (`ui/open-link`).
	 * @throws AppRefusal or RequestRefusal when it is not opened.
	 */
	async openLink(url: string, signal: AbortSignal): Promise<void> {
		const { href, view } = readUrl(url);
		const { warnings } = view;
		const what = {
			action: `open a page at ${view.host}`,
			exact: href,
			warnings,
			note: "It opens in your browser.",
			yes: "Open Link",
		};
		await this.agree(what, signal);
		if (!(await this.services.openExternal(href))) throw new AppRefusal(rpcCodes.refused, "The link was not opened.");
	}

	/**
	 * Puts a text into the chat's input (`ui/message`), with who wrote it; it is never sent from here.
	 * @throws AppRefusal when the user does not want it.
	 */
	async draft(text: string, signal: AbortSignal): Promise<void> {
		const exact = showHidden(cap(text, longestDraft));
		const note = "It replaces the text in the chat input. Nothing is sent until you send it.";
		await this.agree({ action: "write into your chat", exact, warnings: [], note, yes: "Insert into Chat" }, signal);
		await this.services.draft(`From the ${this.who}: ${exact}`);
	}

	/**
	 * Saves files (`ui/download-file`), each where the user chooses; nothing is opened. Returns whether all were saved.
	 * @throws the errors of `saveFile`.
	 */
	async saveFiles(files: readonly OfferedFile[], signal: AbortSignal): Promise<boolean> {
		const what = files.length === 1 ? "a file" : `${files.length} files`;
		const exact = files.map(({ name, bytes }) => `${name} (${readableSize(bytes.length)})`).join("\n");
		const note = "You choose the location. The file is not opened.";
		try {
			await this.agree({ action: `save ${what}`, exact, warnings: [], note, yes: "Save…" }, signal);
		} catch (error) {
			if (error instanceof AppRefusal) return false;
			throw error;
		}
		for (const file of files) if (signal.aborted || !(await this.services.saveFile(file, signal))) return false;
		return true;
	}

	/** Forgets the denials: the app is reloaded. */
	reset(): void {
		this.refusals = 0;
	}

	private async agree({ action, exact, warnings, note, yes }: Ask, signal: AbortSignal): Promise<void> {
		const refusal = new AppRefusal(rpcCodes.refused, "The user declined.");
		if (this.refusals >= mostRefusals) {
			this.questions.refuse(action);
			throw refusal;
		}
		const answers = [
			{ answer: "deny", label: "Deny" },
			{ answer: "yes", label: yes },
		];
		const heading = `The ${this.who} wants to ${action}`;
		const noted = { action, yes: "yes" };
		const answer = await this.questions.ask({ heading, notes: [note], warnings, exact, answers, noted }, signal);
		if (answer === "yes") return;
		if (answer === "deny") this.refusals++;
		throw refusal;
	}
}

interface Ask {
	readonly action: string;
	readonly exact: string;
	readonly warnings: readonly string[];
	readonly note: string;
	readonly yes: string;
}

/** Records an app's requests to the user, and the answers (JRN-19); nothing without notes. */
export function appNoter(
	notes: ActivityNotes | undefined,
	{ definition }: Session,
	app: string,
): (step: AppQuestionStep) => void {
	const { name: server, id: serverId } = definition;
	return (step) => {
		const by = step.phase === "refused" ? "host" : step.phase === "asked" ? "server" : "user";
		const decided = step.phase === "lapsed" ? {} : ({ by } as const);
		notes?.note({ kind: "question", what: "app", server, serverId, app, ...step, ...decided });
	};
}
