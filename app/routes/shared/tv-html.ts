/**
 * The page of a waiting room's screen as one document with its own styles and script (as token-html.ts): televisions have old browsers, so
 * the script is ES5 and needs no bundle. Languages take turns by CSS. Numbers only, no names of patients.
 */
import { createHash } from "node:crypto";
import type { Tile } from "#app/domains/waiting-room/screen/board-view.ts";
import { formatTime, timeInIndia } from "#app/lib/dates.ts";
import { seconds } from "#app/lib/durations.ts";
import { withLanguage } from "#app/lib/language.server.ts";
import { LANGUAGES, type Language, language } from "#app/lib/language.ts";
import { m } from "#app/paraglide/messages.js";

/** How long each language is shown. The styles have the same number. */
const TURN = seconds(8);

// The colours of app/styles/tokens.css. Sizes are of a 16:9 screen.
const STYLE =
  "*{box-sizing:border-box}html,body{height:100%}body{margin:0;background:#fbf8f1;color:#10242a;font:2.75vw/1.3 Roboto,'Noto Sans','Noto Sans Telugu','Noto Sans Devanagari',system-ui,sans-serif}main{display:grid;grid-template-rows:auto 1fr auto;grid-gap:1.5vw;height:100vh;padding:1.5vw 2vw;overflow:hidden}h1,p,ul{margin:0;padding:0;list-style:none}h1{display:flex;justify-content:space-between;align-items:center;font-size:4vw}h1.off,p.off{display:none}.offline h1.off{display:flex;justify-content:flex-start;background:#fdf0cc;padding:1vw 2vw}.off svg{width:4.5vw;margin-right:1.5vw;flex:none}.offline p.off{display:block}.offline .on{display:none}ul{display:grid;grid-gap:1.5vw;min-height:0}.n2{grid-template-columns:1fr 1fr}.n3{grid-template-columns:1fr 1fr 1fr}li{display:grid;align-content:space-between;min-width:0;min-height:0;padding:1vw;overflow:hidden;border:.2vw solid #736f64;border-radius:1.5vw;background:#fff;font-size:3vw;text-align:center}li b{font-size:18vw;line-height:.95;font-variant-numeric:tabular-nums}li strong{font-size:3.5vw}li .soft{color:#3a4c52}.r2 li{font-size:2vw}.r2 li b{font-size:8vw}.r2 li strong{font-size:2.25vw}.r3 li{font-size:1.5vw}.r3 li b{font-size:4.5vw}.r3 li strong{font-size:1.5vw}.called{background:#073b48;color:#fff}.called small{color:#fff}small{font-size:.7em;color:#870a15;font-weight:700}.offline li{background:#fff;color:#10242a}.offline li b{font-size:9vw}.offline .r2 li b{font-size:6vw}.offline .r3 li b{font-size:4vw}.none{align-self:center;text-align:center;font-size:4vw}.turns{display:grid}.turns>*{grid-area:1/1;animation:turn 24s step-end infinite}.turns>*+*{visibility:hidden}.turns>:nth-child(2){animation-delay:-16s}.turns>:nth-child(3){animation-delay:-8s}@keyframes turn{0%{visibility:visible}33.33%,100%{visibility:hidden}}button{position:fixed;right:16vw;top:1.5vw;padding:.5vw 1.5vw;min-height:48px;border:.2vw solid #0b5566;border-radius:1vw;background:#fff;color:#0b5566;font:inherit;font-size:2vw;font-weight:700}button[hidden]{display:none}button:focus{outline:.4vw solid #10242a;outline-offset:.2vw}@media(max-aspect-ratio:1/1){body{font-size:5vw}main{height:auto;min-height:100vh;overflow:visible}ul.n2,ul.n3{grid-template-columns:1fr}.r1 li,.r2 li,.r3 li{font-size:5vw}.r1 li b,.r2 li b,.r3 li b{font-size:24vw}.r1 li strong,.r2 li strong,.r3 li strong{font-size:6vw}h1{font-size:6vw}button{position:static;margin:2vw;font-size:4vw}}";

/**
 * Asks for the page every 1.5 s (304 while nothing has changed) and replaces what is shown. Says that it is offline after 45 s without an
 * answer, and goes on by itself. The chime rings when a tile has one more call. ES5: televisions are old.
 */
const SCRIPT =
  "(function(){var d=document,last=Date.now(),ac=null,btn=d.getElementById('sound');function main(){return d.querySelector('main')}function calls(m){var o={},l=m.querySelectorAll('li');for(var i=0;i<l.length;i++)o[l[i].getAttribute('data-id')]=+l[i].getAttribute('data-calls');return o}function keep(v){try{if(v)localStorage.setItem('tv-sound','1');return localStorage.getItem('tv-sound')}catch(e){return null}}function ready(){btn.hidden=!!ac&&ac.state==='running'}function sound(){var A=window.AudioContext||window.webkitAudioContext;if(!A)return;if(!ac){ac=new A();ac.onstatechange=ready}var p=ac.resume&&ac.resume();if(p&&p.then)p.then(ready,ready);ready()}function tone(f,at){var o=ac.createOscillator(),g=ac.createGain();o.frequency.value=f;g.gain.setValueAtTime(.0001,at);g.gain.linearRampToValueAtTime(.5,at+.02);g.gain.exponentialRampToValueAtTime(.0001,at+.9);o.connect(g);g.connect(ac.destination);o.start(at);o.stop(at+1)}function chime(){d.documentElement.setAttribute('data-chimes',+d.documentElement.getAttribute('data-chimes')+1);if(ac&&ac.state==='running'){tone(880,ac.currentTime);tone(660,ac.currentTime+.45)}}function clock(h){var t=Date.parse(h||'');if(isNaN(t))return;var n=new Date(t+19800000),u=n.getUTCHours()%12||12,i=n.getUTCMinutes(),s=u+':'+(i<10?'0':'')+i,l=d.querySelectorAll('time');for(var k=0;k<l.length;k++)l[k].textContent=s}function heard(x){last=Date.now();main().classList.remove('offline');clock(x.getResponseHeader('date'))}function swap(x){var n=new DOMParser().parseFromString(x.responseText,'text/html').querySelector('main');if(!n)return;var a=calls(main()),b=calls(n),ring=false;for(var k in b)if(b[k]>(k in a?a[k]:0))ring=true;main().parentNode.replaceChild(n,main());if(ring)chime()}function again(){if(Date.now()-last>45000)main().classList.add('offline');setTimeout(ask,1500)}function ask(){var x=new XMLHttpRequest();x.open('GET',location.href);x.timeout=8000;x.setRequestHeader('If-None-Match',main().getAttribute('data-tag'));x.onload=function(){if(x.status===200)swap(x);if(x.status===200||x.status===304)heard(x);else if(x.status===404){location.reload();return}again()};x.onerror=x.ontimeout=again;x.send()}if(window.AudioContext||window.webkitAudioContext){btn.hidden=false;btn.onclick=function(){keep(1);sound();chime()};if(keep())sound()}setTimeout(ask,1500)})()";

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
/** The only style and the only script of the page. */
export const TV_POLICY = `default-src 'none'; style-src ${hashOf(STYLE)}; script-src ${hashOf(SCRIPT)}; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;

const escaped = (text: string) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

type Words = (one: Language) => string;
/** One text in each language, in turn. `first`: the language whose turn it is, so that pages that load again go on in their turn. */
function inTurn(words: Words, first: number): string {
  const spans = LANGUAGES.map((_, i) => LANGUAGES[(first + i) % LANGUAGES.length]!).map(
    (one) => `<span lang="${one}">${withLanguage(one, () => words(one))}</span>`,
  );
  return `<span class="turns">${spans.join("")}</span>`;
}

/** 10:20, without AM: those who read it are there. */
const wallClock = (now: Date) => {
  const [hour = "0", minute = "00"] = timeInIndia(now).split(":");
  return `${Number(hour) % 12 || 12}:${minute}`;
};

function tileOf(tile: Tile, first: number): string {
  const said = (words: Words) => inTurn((one) => escaped(words(one)), first);
  const state =
    tile.state === "planned"
      ? tile.expectedAt
        ? said(() => m.tv_expected({ time: formatTime(tile.expectedAt ?? "") }))
        : said(() => m.tv_starts({ time: formatTime(tile.startsAt) }))
      : tile.state === "paused"
        ? said(() => m.tv_paused())
        : tile.state === "closed"
          ? said(() => m.tv_closed({ time: formatTime(tile.closedAt ?? "") }))
          : "";
  const next = tile.state === "open" && tile.next.length ? `${said(() => m.tv_next())}<strong>${tile.next.join(", ")}</strong>` : "";
  const emergencies = tile.emergencies ? `<small>${said(() => m.token_emergencies({ count: tile.emergencies }))}</small>` : "";
  return `<li data-id="${tile.id.slice(0, 8)}" data-calls="${tile.calls}"${tile.called ? ' class="called"' : ""}>${said((one) => tile.doctorTexts[one]?.fullName || tile.doctor)}<b>${tile.number ?? '<span class="soft">–</span>'}</b><div>${state || next}${emergencies}</div></li>`;
}

const OFFLINE =
  '<svg aria-hidden="true" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"><path d="M12 20h.01"/><path d="M8.5 16.429a5 5 0 0 1 7 0"/><path d="M5 12.859a10 10 0 0 1 5.17-2.69"/><path d="M19 12.859a10 10 0 0 0-2.007-1.523"/><path d="M2 8.82a15 15 0 0 1 4.177-2.643"/><path d="M22 8.82a15 15 0 0 0-11.288-3.764"/><path d="m2 2 20 20"/></svg>';

const document_ = (title: string, more: string, body: string) =>
  `<!doctype html><html lang="${language()}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">${more}<title>${escaped(title)} · Nadi</title><style>${STYLE}</style></head><body>${body}</body></html>`;

/** Returns the page of a screen. @param tagOf returns the ETag of a text: the page without clock and turn is what "changed" means */
export function tvPage(tiles: Tile[], now: Date, tagOf: (text: string) => string): { html: string; tag: string } {
  const first = Math.floor(now.getTime() / TURN) % LANGUAGES.length;
  const listOf = (turn: number) => tiles.map((tile) => tileOf(tile, turn)).join("");
  const tag = tagOf(listOf(0));
  const time = `<time>${wallClock(now)}</time>`;
  const said = (words: () => string) => inTurn(() => escaped(words()).replace("TIME", time), first);
  const count = tiles.length;
  const columns = count <= 2 ? count : count === 4 ? 2 : 3;
  const list = count
    ? `<ul class="n${columns} r${Math.ceil(count / columns)}">${listOf(first)}</ul>`
    : `<p class="none">${said(() => m.tv_none())}</p>`;
  const main = `<main data-tag='${escaped(tag)}'><div><h1 class="on">${said(() => m.tv_title())}${time}</h1><h1 class="off" role="alert">${OFFLINE}${said(() => m.tv_offline())}</h1></div>${list}<div><p class="on">${said(() => m.queue_rule())}</p><p class="off">${said(() => m.tv_numbers_at({ time: "TIME" }))}</p></div></main>`;
  const sound = `<button id="sound" type="button" hidden>${said(() => m.tv_sound())}</button>`;
  return {
    html: document_(
      m.tv_title(),
      '<noscript><meta http-equiv="refresh" content="5"></noscript>',
      `${main}${sound}<script>${SCRIPT}</script>`,
    ),
    tag,
  };
}

/** The page of an address that shows nothing: a wrong or replaced key, or too many tries. */
export const refusedTvPage = (title: string, hint: string | null): string =>
  document_(
    title,
    "",
    `<main><div></div><div class="none"><h1>${escaped(title)}</h1>${hint ? `<p>${escaped(hint)}</p>` : ""}</div></main>`,
  );
