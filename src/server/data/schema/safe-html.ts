import { Parser } from 'htmlparser2';
import sanitizeHtml from 'sanitize-html';
import { ApiError, problem } from '#shared/errors';

/**
 * Maximum number of elements in a formatted text, their maximum depth, and the maximum number of text chunks: special characters such as `<` split its text. Texts
 * from an editor stay far below.
 */
export const htmlLimits = { elements: 5000, depth: 64, textChunks: 50_000 } as const;

/** Errors for formatted texts that exceed these limits. */
export const htmlProblems = {
  tooManyElements: problem(400, ['内容格式过于复杂：最多 {count} 个元素', 'The text has too much formatting. The limit is {count} elements.']),
  tooDeep: problem(400, ['内容格式嵌套过深：最多 {depth} 层', 'The formatting is nested too deeply. The limit is {depth} levels.']),
  tooManyTextChunks: problem(400, ['特殊字符过多：最多 {count} 个', 'The text has too many special characters. The limit is {count}.']),
};

const rules: sanitizeHtml.IOptions = {
  allowedTags: [
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'br', 'hr', 'blockquote', 'pre', 'code', 'ul', 'ol', 'li', 'a', 'img', 'figure', 'figcaption'],
    ...['strong', 'b', 'em', 'i', 'u', 's', 'sub', 'sup', 'mark', 'span', 'div', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'caption'],
  ],
  allowedAttributes: {
    a: ['href', 'title', 'target', 'rel'],
    img: ['src', 'alt', 'title', 'width', 'height'],
    th: ['colspan', 'rowspan'],
    td: ['colspan', 'rowspan'],
    ol: ['start'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowProtocolRelative: false,
  // Prevents a page opened from a text from accessing the console's window.
  transformTags: { a: sanitizeHtml.simpleTransform('a', { rel: 'noopener noreferrer', target: '_blank' }) },
};

/** Removes scripts, frames, styles and forms from formatted text; doing so again changes nothing. Throws an `ApiError` that names the field if the text exceeds a limit. */
export function safeHtml(html: string, field?: string): string {
  assertWithinLimits(html, field);
  return sanitizeHtml(html, rules);
}

/** Checks the limits in one pass before sanitizing, whose time grows with the square of the depth and with the number of text chunks. */
function assertWithinLimits(html: string, field: string | undefined): void {
  let [elements, depth, textChunks] = [0, 0, 0];
  const parser = new Parser({
    onopentagname() {
      elements += 1;
      depth += 1;
      if (elements > htmlLimits.elements) throw new ApiError(htmlProblems.tooManyElements, { count: htmlLimits.elements }, { field });
      if (depth > htmlLimits.depth) throw new ApiError(htmlProblems.tooDeep, { depth: htmlLimits.depth }, { field });
    },
    onclosetag() {
      depth -= 1;
    },
    ontext() {
      textChunks += 1;
      if (textChunks > htmlLimits.textChunks) throw new ApiError(htmlProblems.tooManyTextChunks, { count: htmlLimits.textChunks }, { field });
    },
  });
  parser.end(html);
}
