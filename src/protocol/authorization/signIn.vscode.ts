import * as vscode from "vscode";
import { orAborted } from "../../base/abort.ts";
import type { EditorUris } from "../../base/editorUris.vscode.ts";
import { Emitter } from "../../base/event.ts";
import { HostError } from "../../base/errors.ts";
import { askModal, showSlowWork } from "../../base/notify.vscode.ts";
import { type SlowWork, withPatience } from "../../base/patience.ts";
import { oneLine } from "../../base/text.ts";
import type { RedirectReceiver, SignInBrowser, SignInRequest } from "../authorization.ts";
import { browserAddress, EditorRedirects } from "./editorRedirects.ts";
import { openLoopbackReceiver } from "./loopbackReceiver.ts";
import { credentialsQuestion, signInQuestion } from "./signInQuestion.ts";

/** The redirect target in windows whose browser is on another machine. */
const callbackPath = "/oauth/callback";

/**
 * Signs in with the user's browser. The redirect goes to a port of this machine, or to VS Code's URI handler if the
 * browser runs on another machine than the extension.
 */
export class EditorSignIn implements SignInBrowser {
	/** `publisher.name` of the extension, which is the authority of its URIs. */
	private readonly extensionId: string;
	private readonly redirects = new EditorRedirects();
	/** The sign-ins that wait for a callback of the browser, by their state. */
	private readonly waiting = new Map<string, SlowWork>();
	private readonly decided = new Emitter<SignInRequest & { readonly isDeclined?: true }>();
	/** The user agreed to sign in, so that a browser was opened or its address copied; or they declined. */
	readonly onDidDecide = this.decided.event;

	constructor(extensionId: string, uris: EditorUris) {
		this.extensionId = extensionId;
		uris.on(callbackPath, (query) => void this.redirects.deliver(query));
	}

	/**
	 * @throws HostError `start-failed` when the port is unavailable, `invalid` when a browser cannot be redirected to it.
	 */
	async openReceiver(port: number | undefined): Promise<RedirectReceiver> {
		const isElsewhere = vscode.env.uiKind === vscode.UIKind.Web || vscode.env.remoteName !== undefined;
		if (!isElsewhere) return this.withCancel(await openLoopbackReceiver(port === undefined ? {} : { port }));
		if (port !== undefined) return this.withCancel(await this.openForwarded(port));
		const uri = vscode.Uri.from({
			scheme: vscode.env.uriScheme,
			authority: this.extensionId,
			path: callbackPath,
		});
		const external = await vscode.env.asExternalUri(uri);
		// Unescaped: VS Code's own page reads it this way, and the server must redirect to it.
		return this.withCancel(this.redirects.add(external.toString(true)));
	}

	async open(request: SignInRequest, signal: AbortSignal): Promise<void> {
		if (request.reason === "credentials") return this.confirm(request, signal);
		const { href } = signInQuestion(request);
		const address = await orAborted(browserAddress(href, asExternal), signal);
		const question = signInQuestion(request, address);
		const copy = "Copy Address";
		const open = "Open in Browser";
		// The first button has the focus, so it must not be the one that continues. Code cannot close a dialog: an answer
		// after the end has no effect.
		const answer = await orAborted(askModal(question.message, question.detail, copy, open), signal);
		const refusal = new HostError("cancelled", `You did not sign in to use ${request.server}.`);
		if (answer === undefined) {
			this.decided.fire({ ...request, isDeclined: true });
			throw refusal;
		}
		if (answer === copy) await vscode.env.clipboard.writeText(address);
		else if (!(await openAddress(address))) throw refusal;
		this.decided.fire(request);
		const work = this.waiting.get(request.url.searchParams.get("state") ?? "");
		const title = `Waiting for you to sign in at ${question.host} to use ${oneLine(request.server, 80)}`;
		// Not awaited: the message stays until the browser returns.
		if (work !== undefined) void showSlowWork(title, work);
	}

	private async confirm(request: SignInRequest, signal: AbortSignal): Promise<void> {
		const { message, detail } = credentialsQuestion(request);
		const send = "Send";
		// As above: Enter must not be consent.
		if ((await orAborted(askModal(message, detail, "Do Not Send", send), signal)) === send)
			return this.decided.fire(request);
		this.decided.fire({ ...request, isDeclined: true });
		throw new HostError("cancelled", `The credentials of ${request.server} were not sent.`);
	}

	/**
	 * Listens on a port of the extension's machine that VS Code makes reachable for the browser under the same number.
	 */
	private async openForwarded(port: number): Promise<RedirectReceiver> {
		const receiver = await openLoopbackReceiver({ port });
		const local = vscode.Uri.parse(`http://127.0.0.1:${port}/`, true);
		const external = new URL((await vscode.env.asExternalUri(local)).toString(true));
		if (external.port === String(port) && ["127.0.0.1", "localhost"].includes(external.hostname)) return receiver;
		receiver.dispose();
		throw new HostError(
			"invalid",
			`A browser cannot return to port ${port} from this remote window. Remove "redirectPort", or use a local window.`,
		);
	}

	/** A receiver whose wait the user can see and give up, once their browser is open. */
	private withCancel(receiver: RedirectReceiver): RedirectReceiver {
		return {
			redirectUrl: receiver.redirectUrl,
			receive: async (state, signal) => {
				try {
					return await withPatience(
						(control) => receiver.receive(state, AbortSignal.any([signal, control.signal])),
						(work) => this.waiting.set(state, work),
						0,
					);
				} finally {
					this.waiting.delete(state);
				}
			},
			dispose: () => receiver.dispose(),
		};
	}
}

/** The address under which the user's browser reaches one of the machine of the extension. */
export async function externalAddress(href: string): Promise<string> {
	return browserAddress(href, asExternal);
}

/** Opens an address outside of VS Code, exactly unchanged; false when the user declines. */
export async function openAddress(address: string): Promise<boolean> {
	// A text, which the editor opens as it is; a Uri decodes it, and a redirect inside of the query would fall apart.
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the editor takes texts, which its types do not say
	return vscode.env.openExternal(address as unknown as vscode.Uri);
}

/** A port of the extension's machine as a browser elsewhere reaches it. */
async function asExternal(origin: string): Promise<string> {
	return (await vscode.env.asExternalUri(vscode.Uri.parse(origin, true))).toString(true);
}
