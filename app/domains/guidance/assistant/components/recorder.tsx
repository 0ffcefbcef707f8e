import { useEffect, useRef, useState } from "react";
import { m } from "#app/paraglide/messages.js";
import { Button } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { spokenTime } from "#app/ui/use-spoken-time.ts";
import { MAX_RECORDING } from "../talk.ts";
import { toWav } from "../to-wav.ts";

const LIMIT = MAX_RECORDING / 1000;
/** m:ss (spec 001 §9). */
const clockOf = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

/** The model reads Ogg, which Firefox records. Chromium records WebM and Safari MP4: they are converted. */
const OGG = "audio/ogg;codecs=opus";
const fitForModel = async (recording: Blob) => (recording.type.startsWith("audio/ogg") ? recording : toWav(recording));

type Props = {
  disabled: boolean;
  onRecorded: (recording: Blob) => void;
  onDenied: () => void;
  /** The browser cannot convert what it recorded. */
  onUnusable: () => void;
};

/**
 * Spec 001 §4.7: idle, recording, stopped. Stops on a second press or after 60 s. Releases the microphone before it passes the
 * recording on. Leaving the page discards the recording.
 */
export function Recorder({ disabled, ...results }: Props) {
  const { seconds, isConverting, start, stop } = useRecording(results);
  const running = useRef<HTMLSpanElement>(null);
  // Moves the focus from the removed button to the one that replaces it.
  const isRunning = seconds !== null;
  useEffect(() => {
    if (isRunning) running.current?.querySelector("button")?.focus();
  }, [isRunning]);

  if (seconds === null)
    return (
      <button
        type="button"
        className="icon-btn"
        aria-label={m.assistant_record()}
        disabled={disabled || isConverting}
        onClick={() => void start()}
      >
        <Icon name="mic" />
      </button>
    );
  return (
    <span ref={running} className="row min-h-target flex-1 justify-between" data-recording>
      <span role="timer" className="num">
        {m.assistant_recording({ time: clockOf(seconds) })}
      </span>
      <span className="sr-only" role="status">
        {spokenTime(LIMIT - seconds)}
      </span>
      <Button size="sm" onClick={stop}>
        {m.assistant_record_stop()}
      </Button>
    </span>
  );
}

/** Records from the microphone. `seconds`: how long it has been recording; null before and after. */
function useRecording({ onRecorded, onDenied, onUnusable }: Omit<Props, "disabled">) {
  const [seconds, setSeconds] = useState<number | null>(null);
  const [isConverting, setConverting] = useState(false);
  const recorder = useRef<MediaRecorder | null>(null);
  const left = useRef(false);
  /** The browser's permission dialog is open: a second press would open a second microphone, which nothing would close. */
  const asking = useRef(false);
  useEffect(() => {
    left.current = false;
    return () => {
      left.current = true;
      if (recorder.current?.state === "recording") recorder.current.stop();
    };
  }, []);
  useEffect(() => {
    if (seconds === null) return;
    if (seconds >= LIMIT) return void recorder.current?.stop();
    const timer = setTimeout(() => setSeconds(seconds + 1), 1000);
    return () => clearTimeout(timer);
  }, [seconds]);

  async function start() {
    if (asking.current) return;
    asking.current = true;
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
      const release = () => {
        for (const track of stream.getTracks()) track.stop();
      };
      if (left.current) return release();
      const device = new MediaRecorder(stream, MediaRecorder.isTypeSupported(OGG) ? { mimeType: OGG } : {});
      const parts: Blob[] = [];
      device.ondataavailable = ({ data }) => parts.push(data);
      device.onstop = async () => {
        release();
        recorder.current = null;
        if (left.current) return;
        setSeconds(null);
        setConverting(true);
        const recording = await fitForModel(new Blob(parts, { type: device.mimeType })).catch(() => null);
        if (left.current) return;
        setConverting(false);
        if (recording) onRecorded(recording);
        else onUnusable();
      };
      recorder.current = device;
      device.start();
      setSeconds(0);
    } catch {
      onDenied();
    } finally {
      asking.current = false;
    }
  }

  return { seconds, isConverting, start, stop: () => recorder.current?.stop() };
}
