import { oneLine } from "../../base/text.ts";
import type { DecisionSubject } from "../../questions/decisions/decision.ts";
import type { FormAction } from "../../questions/form/formProtocol.ts";
import type { Draft } from "./asking.ts";
import type { RequestedUrl } from "../../base/url.ts";

/** The common beginning of every question about a page. */
export interface PageFrame {
	readonly subject: DecisionSubject;
	/** The server's configured name, fit to show. */
	readonly server: string;
	/** The server's text about the page, fit to show as a quotation. */
	readonly quote: string;
}

/** The effects of the buttons beside a question about a page. */
export interface PageTools {
	copy(href: string): Promise<void>;
	open(href: string): Promise<void>;
}

const copyUrl: FormAction = { id: "copy-url", label: "Copy URL" };
const openedByHand: FormAction = { id: "opened-by-hand", label: "I Opened It Myself" };
const openAgain: FormAction = { id: "open-again", label: "Open Again" };

/** The text for a user whose browser opens another address than the server's. */
function forwardedTo(href: string, address: string): readonly string[] {
	return address === href ? [] : [`This address is on the remote machine. Your browser reaches it at: ${address}`];
}

/**
 * The question whether to open a page. `address` is the one that opens, where a browser on another machine needs
 * another one. Copying its URL is not consent; after it, the user can confirm that they opened it themselves, as in
 * another browser.
 */
export function pageDraft(
	{ subject, server, quote }: PageFrame,
	{ href, view }: RequestedUrl,
	address: string,
	tools: PageTools,
): { readonly draft: Draft; readonly isByHand: () => boolean } {
	let isCopied = false;
	let isByHand = false;
	let accept: (() => void) | undefined;
	const draft: Draft = {
		question: {
			subject,
			heading: `${server} (server) asks you to open a web page`,
			quote,
			content: { kind: "page", url: { ...view, warnings: [...view.warnings, ...forwardedTo(href, address)] } },
			initial: {},
			submitLabel: "Open in Browser",
			canDecline: true,
			validate: async () => [],
			actions: () => (isCopied ? [copyUrl, openedByHand] : [copyUrl]),
			async act(id) {
				if (id === copyUrl.id) {
					await tools.copy(address);
					isCopied = true;
				} else if (id === openedByHand.id) {
					isByHand = true;
					accept?.();
				}
			},
		},
		fields: [],
		answers: [{ label: "Open in Browser", value: {} }],
		needsForm: false,
		contentOf: () => undefined,
		onMade: (form) => (accept = () => void form.submit()),
	};
	return { draft, isByHand: () => isByHand };
}

/** The question whether the user is done at a page that was opened. */
export function visitDraft(
	{ subject, server, quote }: PageFrame,
	{ href, view }: RequestedUrl,
	address: string,
	tools: PageTools,
): Draft {
	return {
		question: {
			subject,
			heading: `${server} (server) is waiting until you are done at ${oneLine(view.host, 100)}`,
			quote,
			content: { kind: "fields", fields: [] },
			initial: {},
			submitLabel: "Continue",
			canDecline: true,
			validate: async () => [],
			preview: () =>
				[
					`Choose Continue when you are done at ${view.host}. The request is then sent to the server again.`,
					...forwardedTo(href, address),
				].join(" "),
			previewLabel: "What happens next",
			actions: () => [openAgain, copyUrl],
			act: (id) => (id === openAgain.id ? tools.open(address) : id === copyUrl.id ? tools.copy(address) : undefined),
		},
		fields: [],
		answers: [{ label: "Continue", value: {} }],
		needsForm: false,
		contentOf: () => undefined,
	};
}
