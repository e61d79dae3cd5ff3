/** How many different notes are reported in total, and per message. */
const most = { inAll: 200, atOnce: 8 };

/** Says each thing once: a server that does something in each of its messages does not fill its log. */
export class SaidOnce {
	private readonly known = new Set<string>();
	private readonly tell: (sentence: string, news: readonly string[]) => void;

	/** `tell` receives each sentence, and the notes that it is made of. */
	constructor(tell: (sentence: string, news: readonly string[]) => void) {
		this.tell = tell;
	}

	/** Reports the sentence that `word` makes of the new notes, if there are any. Notes are equal if `about` is equal. */
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
