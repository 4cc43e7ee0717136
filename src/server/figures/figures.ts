import type { Figures } from '#shared/figures';

/** Where figures come from. Read in the name of whoever asks, within their tenant; what is read by SQL is narrowed to what they see. */
export interface FigureSource {
  readonly id: string;
  /** Whoever does not hold it is told nothing of these figures. */
  readonly code: string;
  /** The entities they are counted from: while none of their rows changes, what was counted is answered again. */
  readonly entities: readonly string[];
  /** Smaller stands first; 50 unless said. */
  readonly sort?: number;
  /** True: what one person is told is no other's. */
  readonly isPersonal?: boolean;
  /** For charts, so many days up to today. */
  read(asked: { readonly days: number }): Promise<Figures>;
}

const usual = 50;

/** What plugins have to say on the first page of the console, for whichever plugin shows it. */
export class FigureSources {
  private given: readonly { readonly plugin: string; readonly source: FigureSource }[] = [];

  give(plugin: string, ...sources: readonly FigureSource[]): void {
    this.given = [...this.given, ...sources.map((source) => ({ plugin, source }))];
  }

  /** Takes back everything a plugin has given. */
  forget(plugin: string): void {
    this.given = this.given.filter((one) => one.plugin !== plugin);
  }

  /** In the order in which they are shown. */
  all(): readonly FigureSource[] {
    return this.given.map(({ source }) => source).toSorted((one, other) => (one.sort ?? usual) - (other.sort ?? usual));
  }
}
