#lang racket/base
;; SPDX-License-Identifier: MIT
;;
;; Racket as a subject: bytes->string/utf-8, strict and with an error character. In pieces, bytes-convert is the strict one, and characters are
;; read from ports one after the other, which replaces errors. bytes-convert has room for
;; so many bytes; string->bytes/utf-8.

(require racket/list racket/port racket/string)

(define (bytes-of hex)
  (if (equal? hex "-") #"" (apply bytes (for/list ([i (in-range 0 (string-length hex) 2)]) (string->number (substring hex i (+ i 2)) 16)))))

(define (scalars text)
  (if (equal? text "") "-" (string-join (for/list ([char text]) (string-upcase (number->string (char->integer char) 16))) ",")))

;; A group for each piece; #f at an error. What bytes-convert leaves comes again before the next piece.
(define (streamed pieces)
  (define converter (bytes-open-converter "UTF-8" "UTF-8"))
  (let loop ([pieces pieces] [left #""] [groups '()])
    (cond [(null? pieces) (bytes-close-converter converter)
                          (and (equal? left #"") (string-join (reverse groups) "|"))]
          [else (define bytes (bytes-append left (first pieces)))
                (define-values (text count status) (bytes-convert converter bytes))
                (and (not (eq? status 'error))
                     (loop (rest pieces) (subbytes bytes count) (cons (scalars (bytes->string/utf-8 text)) groups)))])))

(define (whole bytes policy)
  (with-handlers ([exn:fail:contract? (lambda (_) #f)])
    (scalars (bytes->string/utf-8 bytes (and (equal? policy "own") #\uFFFD)))))

(define (hex-of bytes)
  (if (equal? bytes #"") "-" (string-append* (for/list ([byte bytes]) (string-append (if (< byte 16) "0" "") (number->string byte 16))))))

;; Of code points; some have no character.
(define (encoded scalars)
  (with-handlers ([exn:fail:contract? (lambda (_) "error")])
    (define points (if (equal? scalars "-") '() (for/list ([point (string-split scalars ",")]) (string->number point 16))))
    (string-append "ok " (hex-of (string->bytes/utf-8 (list->string (map integer->char points)))))))

;; bytes-convert from UTF-8 to UTF-8, into room for `room' bytes.
(define (into room bytes)
  (define converter (bytes-open-converter "UTF-8" "UTF-8"))
  (define out (make-bytes room))
  (define-values (written count status) (bytes-convert converter bytes 0 (bytes-length bytes) out 0 room))
  (bytes-close-converter converter)
  (format "~a ~a ~a" (case status [(complete) "ok"] [(continues) "full"] [else "error"]) count
          (if (zero? written) "-" (string-join (for/list ([byte (in-bytes out 0 written)]) (number->string byte 16)) ","))))

(define platform (hash "utf-8" "platform-UTF-8" (if (system-big-endian?) "utf-16be" "utf-16le") "platform-UTF-16"))

;; bytes-convert from UTF-8 to the platform's UTF-16, or back.
(define (transcoded from to bytes)
  (define converter (bytes-open-converter from to))
  (define-values (text count status) (bytes-convert converter bytes))
  (bytes-close-converter converter)
  (if (eq? status 'complete) (string-append "ok " (hex-of text)) (format "error ~a" count)))

(define (answer operation encoding . fields)
  (cond [(equal? operation "transcode")
         (define-values (from to) (values (hash-ref platform encoding #f) (hash-ref platform (first fields) #f)))
         (if (and from to (not (equal? from to)) (equal? (second fields) "strict")) (transcoded from to (bytes-of (third fields))) "skip not offered")]
        [(equal? (list operation encoding (first fields)) '("encode" "utf-8" "strict")) (encoded (second fields))]
        [(and (equal? (list operation encoding (first fields)) '("into" "utf-8" "strict")) (equal? (second fields) "utf-8"))
         (into (string->number (third fields)) (bytes-of (fourth fields)))]
        [else (decoded operation encoding fields)]))

(define (decoded operation encoding fields)
  (define policy (if (equal? operation "decode") (first fields) "strict"))
  (cond
    [(not (and (equal? encoding "utf-8") (member operation '("validate" "decode")) (member policy '("strict" "own"))))
     "skip not offered"]
    [else
     (define pieces (map bytes-of (string-split (last fields) ",")))
     (define text (cond [(null? (rest pieces)) (whole (first pieces) policy)]
                        [(equal? policy "strict") (streamed pieces)]
                        [else (scalars (port->string (apply input-port-append #t (map open-input-bytes pieces))))]))
     (cond [(not text) "error"]
           [(equal? operation "validate") "ok"]
           [else (string-append "ok " text)])]))

(for ([line (in-lines)])
  (define words (string-split line))
  (if (equal? (first words) "hello")
      (printf "hello assay/1 racket ~a encodings=utf-8 policies=strict,own ops=validate,decode,into,encode,transcode chunks=late\n" (version))
      (printf "~a ~a\n" (first words) (apply answer (rest words))))
  (flush-output))
