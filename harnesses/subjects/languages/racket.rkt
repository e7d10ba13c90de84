#lang racket/base
;; SPDX-License-Identifier: MIT
;;
;; Racket as a subject: bytes->string/utf-8, strict and with an error character. In pieces, bytes-convert is the strict one, and characters are
;; read from ports one after the other, which replaces errors. bytes-convert has room for so many bytes, converts UTF-8 and WTF-8 from and to
;; UTF-16 in the platform's byte order, and UTF-8 to itself; its converter UTF-8-permissive replaces each byte. string->bytes/utf-8.

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

(define order (if (system-big-endian?) "be" "le"))
(define names (hash "utf-8" "platform-UTF-8" (string-append "utf-16" order) "platform-UTF-16" "wtf-8" "WTF-8" (string-append "wtf-16" order) "WTF-16"))

;; bytes-convert; an error is at the bytes that it has not read, in units of so many bytes.
(define (converted from to bytes size)
  (define converter (and from to (bytes-open-converter from to)))
  (define-values (text count status) (if converter (bytes-convert converter bytes) (values #f #f #f)))
  (when converter (bytes-close-converter converter))
  (case status
    [(complete) (string-append "ok " (hex-of text))]
    [(#f) "skip not offered"]
    [else (format "error ~a" (quotient count size))]))

;; A text that ends within a character is not converted to its end.
(define (to-well-formed policy bytes)
  (case policy
    [("strict") (converted "UTF-8" "UTF-8" bytes 1)]
    [("per-byte") (let ([reply (converted "UTF-8-permissive" "UTF-8" bytes 1)]) (if (string-prefix? reply "error") "skip it waits for more" reply))]
    [else "skip not offered"]))

;; UTF-16 units as bytes.
(define (bytes-of-units units)
  (apply bytes-append (for/list ([unit (string-split units ",")] #:unless (equal? unit "-")) (integer->integer-bytes (string->number unit 16) 2 #f))))

(define (answer operation encoding . fields)
  (cond [(equal? operation "transcode")
         (if (equal? (second fields) "strict") (converted (hash-ref names encoding #f) (hash-ref names (first fields) #f) (bytes-of (third fields)) 1) "skip not offered")]
        [(and (equal? operation "encode-utf16") (equal? (first fields) "strict"))
         (converted (if (equal? encoding "wtf-8") "WTF-16" "platform-UTF-16") (hash-ref names encoding #f) (bytes-of-units (second fields)) 2)]
        [(and (equal? operation "to-well-formed") (equal? encoding "utf-8")) (to-well-formed (first fields) (bytes-of (second fields)))]
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
      (printf "hello assay/1 racket ~a encodings=utf-8,wtf-8,utf-16~a,wtf-16~a policies=strict,own,per-byte ops=validate,decode,into,encode,encode-utf16,to-well-formed,transcode chunks=late\n"
              (version) order order)
      (printf "~a ~a\n" (first words) (apply answer (rest words))))
  (flush-output))
