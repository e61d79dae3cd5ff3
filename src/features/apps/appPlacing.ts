import { Emitter, type Event } from "../../base/event.ts";
import { oneOf, keysOf } from "../../base/guards.ts";

/** Where an app is: in an editor, or in the view of the side bar, which has one at a time. */
export type AppPlace = "editor" | "sideBar";

/** The modes in which an app can be shown (MCP Apps 2026-01-26, "Display Modes"), and where each of them is. */
const places = { inline: "sideBar", fullscreen: "editor" } as const satisfies Record<string, AppPlace>;
export type DisplayMode = keyof typeof places;

/** All modes that there are. */
export const displayModes: readonly DisplayMode[] = keysOf(places);

/** Reads an app's supported modes; unsupported ones are left out. */
export function readDisplayModes(value: unknown): readonly DisplayMode[] {
	return Array.isArray(value) ? value.flatMap((one) => oneOf(displayModes, one) ?? []) : [];
}

/** Where an app is shown, and whether it may be shown elsewhere because it wants to. */
export class AppPlacing {
	place: AppPlace = "editor";
	/** The modes that the app declared. */
	modes: readonly DisplayMode[] = [];
	/** Whether the user has just pressed something where the app is shown. */
	isActed = false;
	private readonly moving = new Emitter<AppPlace>();
	/** The app requests another place, because of a press of the user in it. */
	readonly onDidAskToMove: Event<AppPlace> = this.moving.event;

	/**
	 * The mode that is reported to the app. A user may put any app anywhere. An app that declared its modes receives one
	 * of them; other apps are inline, the first purpose of apps.
	 */
	get mode(): DisplayMode {
		const natural = this.place === "editor" ? "fullscreen" : "inline";
		return this.modes.includes(natural) ? natural : (this.modes[0] ?? "inline");
	}

	/**
	 * The mode that results when the app requests another. It never gets a mode that it did not declare, and gets none
	 * unless the user has just pressed something: nothing moves on the screen automatically.
	 */
	change(wanted: unknown): DisplayMode {
		const [mode] = readDisplayModes([wanted]);
		if (mode === undefined || mode === this.mode || !this.modes.includes(mode) || !this.isActed) return this.mode;
		// After the answer, which the app would not get any more.
		setImmediate(() => this.moving.fire(places[mode]));
		return mode;
	}
}
