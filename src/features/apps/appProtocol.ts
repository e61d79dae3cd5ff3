import type { Json } from "../../base/json.ts";
import type { AppBlank, HealthLine } from "./appHealth.ts";
import type { OpenAppQuestion } from "./appQuestions.ts";

/** The place where an app is shown, as the page around its frame finds it. */
export interface AppSurface {
	readonly width: number;
	readonly height: number;
	readonly theme: "light" | "dark";
	/** The values of the specification's style variables in the editor's theme. */
	readonly variables: Readonly<Record<string, string>>;
}

/** A fact for the user about an app: our name for it, and its value. */
export interface AppDetail {
	readonly name: string;
	readonly lines: readonly HealthLine[];
}

/** The text that an app adds to a message: its revision, and exactly that text. */
export interface AppAddedView {
	readonly revision: number;
	readonly sentence: string;
	readonly exact: string;
}

/** The contents of the page around an app's frame. All texts are fit to show as plain text. */
export interface AppView {
	/** The data of the page that VS Code keeps over a reload of the window. */
	readonly id: string;
	/** Another number is another load: the frame is rebuilt, with another document. 0 is none. */
	readonly load: number;
	/** The app and its server, if no title of VS Code shows them. */
	readonly title?: string;
	/** The text that replaces the frame while there is none. */
	readonly sentence?: string;
	readonly question?: OpenAppQuestion;
	/** Something that the user should know of the app that is shown. */
	readonly notice?: string;
	/** The page is another one than before, and can be compared with it. */
	readonly isComparable?: true;
	readonly blank?: AppBlank;
	/** The text that the app adds to the user's next message to a model; the user may remove it. */
	readonly added?: AppAddedView;
	/** Present while the user looks at them. */
	readonly details?: readonly AppDetail[];
}

/** The parts of the frame. */
export interface AppFrame {
	readonly document: string;
	/** The features that it is allowed (Permissions Policy). */
	readonly allow: string;
	/** The label of the frame for a screen reader. */
	readonly title: string;
}

/** The page's observations about the frame. */
export type FrameEvent =
	/** The document is there. */
	| "loaded"
	/** Another document replaced it: the app navigated its own frame, and the page has released it. */
	| "left"
	| "violation"
	| "error"
	/** There is something to be seen of it. */
	| "painted"
	/** It sent more than is taken. */
	| "flood";

/** The extension's functions for the page. */
export interface AppHostApi {
	ready(surface: AppSurface): AppView;
	/** The document of a load; undefined when that is not the present one any more. */
	frame(load: number): AppFrame | undefined;
	/** A message of the app, as JSON; `isActed`: the user has just pressed something in this page or the app's. */
	fromApp(load: number, message: string, isActed: boolean): void;
	/** The app's stored data, for its next load. */
	stored(load: number, entries: string): void;
	observed(load: number, event: FrameEvent, text: string): void;
	moved(surface: AppSurface): void;
	answer(question: string, answer: string): void;
	/** Has the page compared with the one before it. */
	compare(): void;
	/** Removes the app's addition to the next message. */
	removeAdded(): void;
	/** This revision of it was painted where it can be seen. */
	paintedAdded(revision: number): void;
	/** The user opened this revision. */
	openedAdded(revision: number): void;
}

/** The page's functions for the extension. */
export interface AppViewApi {
	show(view: AppView): void;
	toApp(load: number, message: { readonly [name: string]: Json | undefined }): void;
}
