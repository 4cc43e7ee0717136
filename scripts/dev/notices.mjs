/** Problems that the author of a plugin should know: those of a source are printed whenever they change, and shown on the screen of the console until it is solved. */
import { join } from 'node:path';

/** Address at which the development server of the console sends the notices. */
const path = '/development/notices';

export class Notices {
  #notices = new Map();
  #listeners = new Set();
  #printed = new Map();

  /** Replaces the notices of a source: `{ text: [zh, en], place, sql, remedy: [zh, en] }`. `solved` is printed when none remain. */
  set(source, notices, solved) {
    const before = this.#printed.get(source) ?? '';
    const lines = notices.map(({ text: [, text], place, sql, remedy }) =>
      [`! ${place ? `${place}: ` : ''}${text}`, ...(sql ? [`    ${sql.trim().replaceAll('\n', '\n    ')}`] : []), ...(remedy ? [`  ${remedy[1]}`] : [])].join(
        '\n',
      ),
    );
    const printed = lines.join('\n');
    if (printed !== before) console.log(printed === '' ? solved : `\n${printed}\n`);
    this.#printed.set(source, printed);
    this.#notices.set(source, notices);
    for (const listener of this.#listeners) listener();
  }

  /** Answers the request of a console with the notices, and again after each change. */
  serve({ url }, reply, next) {
    if (url !== path) return next();
    reply.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    const send = () => reply.write(`data: ${JSON.stringify([...this.#notices.values()].flat())}\n\n`);
    this.#listeners.add(send);
    reply.once('close', () => this.#listeners.delete(send));
    send();
  }
}

const reset = (plugin) => `npm run plugin -- reset ${plugin}`;

/** Returns the notices of migrations that could not be applied. `folderOf` locates the migrations of a plugin. */
export const migrationNotices = (problems, folderOf) =>
  problems.map(({ plugin, name, line, message, isChanged }) => ({
    place: `${join(folderOf(plugin), name).replaceAll('\\', '/')}${line === undefined ? '' : `:${line}`}`,
    text: isChanged
      ? ['该迁移在应用之后被修改，未应用', 'This migration was changed after it had been applied.']
      : [`该迁移未应用：${message}`, `This migration was not applied: ${message}`],
    remedy: isChanged
      ? [
          `已发布的迁移请恢复原文，把修改写进新文件；尚未发布的可运行 ${reset(plugin)}，会清空该插件的表并重新应用`,
          `If it is released, restore its text and put the change into a new file. If not, run: ${reset(plugin)}`,
        ]
      : undefined,
  }));

/** Returns the notices of tables that differ from their entities. */
export const tableNotices = (differences, folderOf) =>
  differences.map(({ plugin, sentence, sql }) => ({
    text: [`数据表与实体不一致：${sentence}`, `A table differs from its entity: ${sentence}.`],
    sql,
    remedy: plugin && [
      `写进 ${folderOf(plugin)} 的新迁移；若改的是尚未发布的迁移，请运行 ${reset(plugin)}`,
      `Put this into a new file in ${folderOf(plugin)}, or into an unreleased migration before ${reset(plugin)}.`,
    ],
  }));
