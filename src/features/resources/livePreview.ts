import { messageOf } from "../../base/errors.ts";
import { Emitter } from "../../base/event.ts";
import { type Disposable, DisposableStore } from "../../base/lifecycle.ts";
import { type MessagePort, RpcEndpoint } from "../../base/rpc.ts";
import { showHidden } from "../../base/text.ts";
import { throttle } from "../../base/throttle.ts";
import type { LiveResources } from "./live.ts";
import { previewDocument, type PreviewParts } from "./preview.ts";
import { bytesOf, type ResourceReader } from "./reader.ts";
import type { PreviewHostApi, PreviewView, PreviewViewApi } from "./resourcePreviewProtocol.ts";
import { keyOf, type ResourceAddress } from "./uri.ts";

/** The dependencies of following the resource of a preview. */
export interface PreviewSources {
	readonly reader: ResourceReader;
	readonly live: LiveResources;
}

/** Contents that were read to be drawn, and how. */
export interface Previewed extends Omit<PreviewParts, "scheme"> {
	readonly address: ResourceAddress;
	/** That of VS Code's current theme. */
	readonly schemeNow: () => PreviewParts["scheme"];
}

/**
 * How often a preview is read and redrawn at most, in milliseconds, regardless of how often its server reports changes.
 */
const followMs = 250;
const inert = "Scripts, forms and links are disabled. Nothing is loaded from the network.";

/** A preview that is redrawn when its resource changes, until it is disposed (RES-14). */
export class LivePreview implements Disposable {
	private readonly what: Previewed;
	private readonly sources: PreviewSources;
	private readonly store = new DisposableStore();
	private readonly changed = this.store.add(new Emitter<void>());
	private bytes: Uint8Array;
	private document = "";
	private failure: string | undefined;
	/** Only the last read contents count. */
	private reads = 0;

	private constructor(what: Previewed, sources: PreviewSources) {
		this.what = what;
		this.bytes = what.bytes;
		this.sources = sources;
	}

	/**
	 * Draws contents, and follows their resource from then on.
	 * @throws HostError as `previewDocument` does.
	 */
	static async open(what: Previewed, sources: PreviewSources): Promise<LivePreview> {
		const preview = new LivePreview(what, sources);
		const { address } = what;
		const { live } = sources;
		preview.document = await preview.drawn();
		preview.store.add(await live.prepare(address));
		const following = preview.store.add(throttle(() => void preview.readAnew(), followMs));
		preview.store.add(
			live.onDidUpdate((updated) => {
				if (keyOf(updated) === keyOf(address)) following.run();
			}),
		);
		return preview;
	}

	/** The current content. */
	get view(): PreviewView {
		const { document, failure } = this;
		const notice = failure === undefined ? inert : `It could not be read again: ${showHidden(failure)}`;
		return { document, notice, canReload: !this.sources.live.isFollowed(this.what.address) };
	}

	/** Draws the last read contents, as for another theme. Never rejects. */
	async draw(): Promise<void> {
		try {
			this.document = await this.drawn();
			this.failure = undefined;
		} catch (error) {
			this.failure = messageOf(error);
		}
		this.changed.fire();
	}

	/** Connects it with the page that shows it. */
	connect(port: MessagePort): Disposable {
		const store = new DisposableStore();
		const page = store.add(
			new RpcEndpoint<PreviewViewApi, PreviewHostApi>(port, {
				ready: () => this.view,
				reload: () => this.sources.live.refresh(this.what.address),
			}),
		);
		store.add(this.changed.event(() => page.notify("show", this.view)));
		return store;
	}

	dispose(): void {
		this.store.dispose();
	}

	private async readAnew(): Promise<void> {
		const { address } = this.what;
		const number = ++this.reads;
		try {
			const snapshot = await this.sources.reader.readQuietly(address);
			if (number !== this.reads) return;
			this.bytes = bytesOf(snapshot, address);
			await this.draw();
		} catch (error) {
			if (number !== this.reads) return;
			this.failure = messageOf(error);
			this.changed.fire();
		}
	}

	private async drawn(): Promise<string> {
		const { schemeNow, ...what } = this.what;
		return previewDocument({ ...what, bytes: this.bytes, scheme: schemeNow() });
	}
}
