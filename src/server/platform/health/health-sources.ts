import { type HealthItem, type HealthSection, healthSections, type SectionItem } from '#shared/health';
import type { LocalizedText } from '#shared/text';
import { ByPlugin } from '../../base/by-plugin.ts';

/** A source of facts about the health of the deployment. */
export interface HealthSource {
  readonly section: HealthSection;
  /** Reads the current facts. It runs outside of any transaction, so that it may wait for other machines. */
  read(): Promise<readonly SectionItem[]>;
}

const keptMs = 5000;
/** Time after which the report no longer waits for a source. */
const readMs = 5000;

/** Facts about the health of the deployment, of the kernel and of plugins. Readers share a report that is at most five seconds old. */
export class HealthSources {
  private readonly registered = new ByPlugin<HealthSource>();
  private report: { readonly items: Promise<readonly HealthItem[]>; readonly staleAt: number } | undefined;

  /** Registers sources of a plugin, or of the kernel under the id `kernel`. */
  register(plugin: string, sources: readonly HealthSource[]): void {
    this.registered.add(plugin, sources);
  }

  unregister(plugin: string): void {
    this.registered.unregister(plugin);
  }

  /** Reads all sources at once. A source that fails or takes too long becomes a problem of its section. */
  read(): Promise<readonly HealthItem[]> {
    if (!this.report || Date.now() >= this.report.staleAt) {
      const items = Promise.all(this.registered.all().map((source, index) => readSource(source, index))).then((all) => all.flat());
      this.report = { items, staleAt: Date.now() + keptMs };
    }
    return this.report.items;
  }
}

async function readSource({ section, read }: HealthSource, index: number): Promise<HealthItem[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not read within ${readMs / 1000} s`)), readMs);
  });
  try {
    return (await Promise.race([read(), late])).map((item) => ({ ...item, section }));
  } catch (error) {
    return [{ ...unreadable(`${section}:${index}`, healthSections[section], error), section }];
  } finally {
    clearTimeout(timer);
  }
}

/** Describes a fact that could not be read, with the reason that the database or the system gives. */
export function unreadable(id: string, title: LocalizedText, error: unknown): SectionItem {
  const { message } = ((error as Error).cause ?? error) as Error;
  const text: LocalizedText = [
    `「${title[0]}」读取失败，请查看服务器日志：${message}`,
    `“${title[1]}” could not be read. Check the output of the server: ${message}`,
  ];
  return { id, title, problem: { isUrgent: false, text } };
}
