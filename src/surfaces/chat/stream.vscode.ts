import * as vscode from "vscode";
import { escapeMarkdown } from "../../base/markdown.ts";
import { oneLine } from "../../base/text.ts";
import { giveContextCommand } from "../../models/longerContext.ts";
import { toEditorUri } from "../../features/resources/uri.ts";
import type { Session } from "../../servers/sessions/session.ts";
import { JoinedWrites, linkArguments, linkTo, linkWords, ModelTextFilter, ProgressPace, TextRun } from "./stream.ts";
import type { ChatAction, ChatPart } from "./parts.ts";

/** The commands behind our links in the chat. They take an opaque id and an action of ours. */
export const chatCommands = {
	decide: "mcpHost.decideTool",
	details: "mcpHost.showToolCall",
	text: "mcpHost.showTurnText",
	elicitation: "mcpHost.answerElicitation",
} as const;

/** The command of each action. Only these can be run from a response, and only by our own words. */
const commandOf: Readonly<Record<ChatAction, string>> = {
	allow: chatCommands.decide,
	edit: chatCommands.decide,
	deny: chatCommands.decide,
	"deny-reason": chatCommands.decide,
	always: chatCommands.decide,
	"show-changes": chatCommands.decide,
	"show-instructions": chatCommands.decide,
	"allow-all": chatCommands.decide,
	"deny-all": chatCommands.decide,
	"cancel-call": chatCommands.decide,
	"continue-call": chatCommands.decide,
	"manage-rules": "mcpHost.manageRules",
	"choose-servers": "mcpHost.chatWithServers",
	details: chatCommands.details,
	"open-result": chatCommands.details,
	"open-app": chatCommands.details,
	"open-resource": chatCommands.details,
	"manage-models": "mcpHost.manageModels",
	"add-model": "mcpHost.addModelEndpoint",
	"detect-models": "mcpHost.detectModels",
	"give-context": giveContextCommand,
	"try-demo": "mcpHost.tryDemo",
	"show-servers": "mcpHost.servers.focus",
	"manage-trust": "workbench.trust.manage",
	"run-prompt": "mcpHost.runPrompt",
	"run-tool": "mcpHost.runTool",
	"open-review": "mcpHost.reviewPending",
	"turn-text": chatCommands.text,
	trace: "mcpHost.showInTrace",
	"elicit-answer": chatCommands.elicitation,
	"elicit-open": chatCommands.elicitation,
	"elicit-decline": chatCommands.elicitation,
	"elicit-cancel": chatCommands.elicitation,
	"elicit-act": chatCommands.elicitation,
};

/**
 * Writes to a chat response. Three kinds of text never mix: our own links, the only trusted part; text that we escaped;
 * and the model's Markdown, which is untrusted and loads no images. None may use HTML or theme icons (UI-01 to UI-04).
 */
export class ChatWriter implements Disposable {
	private readonly stream: vscode.ChatResponseStream;
	private readonly filter = new ModelTextFilter();
	private readonly pace = new ProgressPace();
	private readonly run = new TextRun();
	private readonly joined = new JoinedWrites();

	constructor(stream: vscode.ChatResponseStream) {
		this.stream = stream;
	}

	/** A piece of the model's answer. */
	modelText(piece: string): void {
		this.joined.release();
		this.untrusted(this.filter.push(piece));
	}

	/** With `isMoreSoon` they wait a moment, to be drawn together with the next ones. */
	parts(parts: readonly ChatPart[], isMoreSoon = false): void {
		if (isMoreSoon) {
			this.joined.hold(() => this.write(parts));
			return;
		}
		this.joined.release();
		this.write(parts);
	}

	/** The current activity, until the next part arrives. `message` may be a server's. */
	progress(message: string): void {
		this.joined.follow(() => {
			if (this.pace.take(Date.now())) this.stream.progress(escapeMarkdown(oneLine(message)));
		});
	}

	/** A link of VS Code's own to a resource, which opens it when it is clicked. */
	resource({ definition }: Session, uri: string, mimeType: string | undefined): void {
		this.joined.release();
		const address = { server: definition.id, uri };
		const target = vscode.Uri.from(toEditorUri(address, { serverName: definition.name, mimeType }));
		this.stream.anchor(target, escapeMarkdown(oneLine(uri, 100)));
	}

	/** The response ends: nothing waits any longer. */
	[Symbol.dispose](): void {
		this.joined.release();
	}

	private write(parts: readonly ChatPart[]): void {
		this.pace.reset();
		this.untrusted(this.filter.flush());
		for (const part of parts) {
			if (part.kind === "text") this.untrusted(part.markdown);
			else this.links(part);
		}
	}

	private untrusted(markdown: string): void {
		for (const { text, isApart } of this.run.take(markdown)) {
			// Texts with other commands are not joined; this one has no words.
			if (isApart) this.trusted("\n", [chatCommands.decide]);
			this.stream.markdown(new vscode.MarkdownString(text));
		}
	}

	private links({ id, main, links }: Extract<ChatPart, { kind: "links" }>): void {
		if (main !== undefined) {
			const { label: title, action, detail, hint: tooltip } = main;
			this.stream.button({
				title,
				command: commandOf[action],
				arguments: [id, action, detail],
				...(tooltip === undefined ? {} : { tooltip }),
			});
		}
		if (links.length === 0) {
			this.run.end();
			return;
		}
		const row = links.map(({ label, action, detail, hint }) => {
			// The trace is shown of other places as well, by the name of an exchange alone.
			const parameters =
				action === "trace" ? linkArguments([detail]) : id === "" ? "" : linkArguments([id, action, detail]);
			return `[${linkWords(label)}${linkTo(commandOf[action])}${parameters}${hint === undefined ? "" : ` "${hint}"`})`;
		});
		this.trusted(`${row.join(" · ")}\n\n`, [...new Set(links.map(({ action }) => commandOf[action]))]);
		this.run.end();
	}

	/** Only our own words, that may run these commands. */
	private trusted(words: string, enabledCommands: readonly string[]): void {
		const markdown = new vscode.MarkdownString(words);
		markdown.isTrusted = { enabledCommands };
		this.stream.markdown(markdown);
	}
}
