import type * as vscode from "vscode";
import type { AppCall } from "./appCall.ts";
import type { AppHome } from "./appHome.vscode.ts";
import type { AppPlace } from "./appPlacing.ts";
import type { OpenApp } from "./openApp.ts";

/** An app with the place in which it is shown. It is closed when the user closes that, and not when it moves. */
export class ShownApp implements vscode.Disposable {
	/** The call whose result it shows. */
	readonly call: AppCall;
	readonly app: OpenApp;
	place: AppPlace;
	private home: AppHome;
	private readonly show: (place: AppPlace) => AppHome;
	private readonly closed: () => void;
	private isMoving = false;

	/** `show` opens a place with the app in it; `closed` is called once, when it is shown nowhere any more. */
	constructor(call: AppCall, app: OpenApp, place: AppPlace, show: (place: AppPlace) => AppHome, closed: () => void) {
		this.call = call;
		this.app = app;
		this.place = place;
		this.show = show;
		this.closed = closed;
		this.home = this.settle();
	}

	/** Whether it is the active editor. */
	get isActive(): boolean {
		return this.home.isActive;
	}

	/** Brings it to the front. */
	reveal(preserveFocus: boolean): void {
		this.home.reveal(preserveFocus);
	}

	/** Shows it elsewhere, in its current state as far as possible. */
	async moveTo(place: AppPlace): Promise<void> {
		if (this.isMoving || place === this.place) return;
		this.isMoving = true;
		await this.app.leaveFor(place);
		this.home.dispose();
		this.place = place;
		this.home = this.settle();
		this.isMoving = false;
	}

	/** Closes it after the app was notified, which closing a tab cannot wait for. */
	async close(): Promise<void> {
		await this.app.close();
		this.home.dispose();
	}

	dispose(): void {
		this.home.dispose();
	}

	private settle(): AppHome {
		const home = this.show(this.place);
		home.onDidClose(() => {
			if (home !== this.home || this.isMoving) return;
			this.app.dispose();
			this.closed();
		});
		return home;
	}
}
