/** How many different things are said in all, and of one message. */
const most = { inAll: 200, atOnce: 8 };

/** Says each thing once: a server that does something in each of its messages does not fill its log. */
export class SaidOnce {
	private readonly known = new Set<string>();
	private readonly tell: (sentence: string, news: readonly string[]) => void;

	/** `tell` gets each sentence, and the notes that it is made of. */
	constructor(tell: (sentence: string, news: readonly string[]) => void) {
		this.tell = tell;
	}

	/** Tells the sentence that `word` makes of those notes that are new, if there are any. `about` tells equal notes apart. */
	say(notes: Iterable<string>, word: (news: readonly string[]) => string, about = ""): void {
		const news: string[] = [];
		for (const note of notes) {
			const key = `${about} ${note}`;
			if (this.known.size >= most.inAll || this.known.has(key)) continue;
			this.known.add(key);
			if (news.length < most.atOnce) news.push(note);
		}
		if (news.length > 0) this.tell(word(news), news);
	}
}
