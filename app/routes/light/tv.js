// ES5, because televisions are old: no arrow functions, `let`, templates, promises of our own.
// Asks for the page every 1.5 s (304 while nothing has changed) and replaces what is shown. Says that it is offline after 45 s without an
// answer, and goes on by itself. The chime rings when a tile has one more call.
(function () {
  var EVERY = 1500;
  var OFFLINE_AFTER = 45000;
  var INDIA = 19800000;
  var Audio = window.AudioContext || window.webkitAudioContext;
  var audio = null;
  var button = document.getElementById("sound");
  var lastAnswer = Date.now();

  function main() {
    return document.querySelector("main");
  }

  // The calls of each tile, by its id.
  function callsIn(element) {
    var calls = {};
    var tiles = element.querySelectorAll("li");
    for (var i = 0; i < tiles.length; i++) calls[tiles[i].getAttribute("data-id")] = +tiles[i].getAttribute("data-calls");
    return calls;
  }

  // Browsers without storage throw.
  function soundWanted(isPressed) {
    try {
      if (isPressed) localStorage.setItem("tv-sound", "1");
      return localStorage.getItem("tv-sound");
    } catch (e) {
      return null;
    }
  }

  function showButton() {
    button.hidden = !!audio && audio.state === "running";
  }

  function startSound() {
    if (!Audio) return;
    if (!audio) {
      audio = new Audio();
      audio.onstatechange = showButton;
    }
    var resumed = audio.resume && audio.resume();
    if (resumed && resumed.then) resumed.then(showButton, showButton);
    showButton();
  }

  function tone(frequency, at) {
    var oscillator = audio.createOscillator();
    var gain = audio.createGain();
    oscillator.frequency.value = frequency;
    gain.gain.setValueAtTime(0.0001, at);
    gain.gain.linearRampToValueAtTime(0.5, at + 0.02);
    gain.gain.exponentialRampToValueAtTime(0.0001, at + 0.9);
    oscillator.connect(gain);
    gain.connect(audio.destination);
    oscillator.start(at);
    oscillator.stop(at + 1);
  }

  function chime() {
    var html = document.documentElement;
    html.setAttribute("data-chimes", +html.getAttribute("data-chimes") + 1);
    if (audio && audio.state === "running") {
      tone(880, audio.currentTime);
      tone(660, audio.currentTime + 0.45);
    }
  }

  // The server's time, because the clock of a television may be wrong.
  function showTime(date) {
    var time = Date.parse(date || "");
    if (isNaN(time)) return;
    var india = new Date(time + INDIA);
    var minute = india.getUTCMinutes();
    var text = (india.getUTCHours() % 12 || 12) + ":" + (minute < 10 ? "0" : "") + minute;
    var clocks = document.querySelectorAll("time");
    for (var i = 0; i < clocks.length; i++) clocks[i].textContent = text;
  }

  function replaceWith(html) {
    var next = new DOMParser().parseFromString(html, "text/html").querySelector("main");
    if (!next) return;
    var before = callsIn(main());
    var after = callsIn(next);
    var isCalled = false;
    for (var id in after) if (after[id] > (id in before ? before[id] : 0)) isCalled = true;
    main().parentNode.replaceChild(next, main());
    if (isCalled) chime();
  }

  function askLater() {
    if (Date.now() - lastAnswer > OFFLINE_AFTER) main().classList.add("offline");
    setTimeout(ask, EVERY);
  }

  function ask() {
    var request = new XMLHttpRequest();
    request.open("GET", location.href);
    request.timeout = 8000;
    request.setRequestHeader("If-None-Match", main().getAttribute("data-tag"));
    request.onload = function () {
      if (request.status === 404) {
        location.reload();
        return;
      }
      if (request.status === 200) replaceWith(request.responseText);
      if (request.status === 200 || request.status === 304) {
        lastAnswer = Date.now();
        main().classList.remove("offline");
        showTime(request.getResponseHeader("date"));
      }
      askLater();
    };
    request.onerror = request.ontimeout = askLater;
    request.send();
  }

  if (Audio) {
    button.hidden = false;
    button.onclick = function () {
      soundWanted(true);
      startSound();
      chime();
    };
    if (soundWanted(false)) startSound();
  }
  setTimeout(ask, EVERY);
})();
