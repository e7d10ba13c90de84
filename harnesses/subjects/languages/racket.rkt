#lang racket/base
;; SPDX-License-Identifier: MIT
;;
;; Racket as a subject: bytes->string/utf-8, strict and with an error character.

(require racket/string racket/list)

(define (bytes-of hex)
  (if (equal? hex "-") #"" (apply bytes (for/list ([i (in-range 0 (string-length hex) 2)]) (string->number (substring hex i (+ i 2)) 16)))))

(define (answer operation encoding . fields)
  (define policy (if (equal? operation "decode") (first fields) "strict"))
  (cond
    [(not (and (equal? encoding "utf-8") (member operation '("validate" "decode")) (member policy '("strict" "own")) (not (string-contains? (last fields) ","))))
     "skip not offered"]
    [else
     (define text (with-handlers ([exn:fail:contract? (lambda (_) #f)])
                    (bytes->string/utf-8 (bytes-of (last fields)) (and (equal? policy "own") #\uFFFD))))
     (cond [(not text) "error"]
           [(equal? operation "validate") "ok"]
           [(equal? text "") "ok -"]
           [else (string-append "ok " (string-join (for/list ([char text]) (string-upcase (number->string (char->integer char) 16))) ","))])]))

(for ([line (in-lines)])
  (define words (string-split line))
  (if (equal? (first words) "hello")
      (printf "hello assay/1 racket ~a encodings=utf-8 policies=strict,own ops=validate,decode chunks=no\n" (version))
      (printf "~a ~a\n" (first words) (apply answer (rest words))))
  (flush-output))
