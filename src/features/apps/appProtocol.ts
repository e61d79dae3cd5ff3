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

/** What the user may know of an app: a name of ours, and what is known. */
export interface AppDetail {
	readonly name: string;
	readonly lines: readonly HealthLine[];
}

/** What an app adds to a message: which revision of it, and exactly that. */
export interface AppAddedView {
	readonly revision: number;
	readonly sentence: string;
	readonly exact: string;
}

/** What the page around an app's frame shows. All texts are fit to show as plain text. */
export interface AppView {
	/** What the editor keeps of the page over a reload of the window. */
	readonly id: string;
	/** Another number is another load: the frame is made anew, with another document. 0 is none. */
	readonly load: number;
	/** Which app of which server this is, where no title of the editor says so. */
	readonly title?: string;
	/** What stands in place of the frame, while there is none. */
	readonly sentence?: string;
	readonly question?: OpenAppQuestion;
	/** Something that the user should know of the app that is shown. */
	readonly notice?: string;
	/** The page is another one than before, and can be compared with it. */
	readonly isComparable?: true;
	readonly blank?: AppBlank;
	/** What the app adds to the user's next message to a model, which they may take away. */
	readonly added?: AppAddedView;
	/** Present while the user looks at them. */
	readonly details?: readonly AppDetail[];
}

/** What the frame is made of. */
export interface AppFrame {
	readonly document: string;
	/** The features that it is allowed (Permissions Policy). */
	readonly allow: string;
	/** What a screen reader says of the frame. */
	readonly title: string;
}

/** What the page around the frame observes of it. */
export type FrameEvent =
	/** The document is there. */
	| "loaded"
	/** Another document came in its place: the app led its own frame elsewhere, and the page has let go of it. */
	| "left"
	| "violation"
	| "error"
	/** There is something to be seen of it. */
	| "painted"
	/** It sent more than is taken. */
	| "flood";

/** What the extension offers the page. */
export interface AppHostApi {
	ready(surface: AppSurface): AppView;
	/** The document of a load; undefined when that is not the present one any more. */
	frame(load: number): AppFrame | undefined;
	/** A message of the app, as JSON; `isActed`: the user has just pressed something in this page or the app's. */
	fromApp(load: number, message: string, isActed: boolean): void;
	/** What the app keeps in its storage, for the next load of it. */
	stored(load: number, entries: string): void;
	observed(load: number, event: FrameEvent, text: string): void;
	moved(surface: AppSurface): void;
	answer(question: string, answer: string): void;
	/** Has the page compared with the one before it. */
	compare(): void;
	/** Takes away what the app adds to the next message. */
	removeAdded(): void;
	/** This revision of it was painted where it can be seen. */
	paintedAdded(revision: number): void;
	/** The user opened this revision. */
	openedAdded(revision: number): void;
}

/** What the page offers the extension. */
export interface AppViewApi {
	show(view: AppView): void;
	toApp(load: number, message: { readonly [name: string]: Json | undefined }): void;
}
