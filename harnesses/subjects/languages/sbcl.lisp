;;; SPDX-License-Identifier: MIT
;;;
;;; SBCL as a subject: octets-to-string, strict and with a replacement character; string-to-octets.

(defun bytes (hex)
  (let ((out (make-array (if (string= hex "-") 0 (floor (length hex) 2)) :element-type '(unsigned-byte 8))))
    (dotimes (i (length out) out)
      (setf (aref out i) (parse-integer hex :start (* 2 i) :end (+ 2 (* 2 i)) :radix 16)))))

(defun words (line)
  (loop for start = 0 then (1+ end) for end = (position #\Space line :start start)
        collect (subseq line start end) while end))

(defun format-of (encoding policy)
  (let ((name (cdr (assoc encoding '(("utf-8" . :utf-8) ("utf-16le" . :utf-16le) ("utf-16be" . :utf-16be)) :test #'string=))))
    (and name (cond ((string= policy "strict") name) ((string= policy "own") (list name :replacement (code-char #xFFFD)))))))

(defun numbers (scalars)
  (if (string= scalars "-") '()
      (loop for start = 0 then (1+ end) for end = (position #\, scalars :start start)
            collect (parse-integer scalars :start start :end end :radix 16) while end)))

(defun encoded (form points)
  (if (some (lambda (point) (>= point char-code-limit)) points) "skip not offered"
      (handler-case
          (let ((bytes (sb-ext:string-to-octets (map 'string #'code-char points) :external-format form)))
            (format nil "ok ~:[~{~2,'0X~}~;-~]" (zerop (length bytes)) (coerce bytes 'list)))
        (error () "error"))))

;; Under `strict' the decoder offers a replacement by a restart, after it signals; the signal is the error.
(defun answer (operation encoding &rest fields)
  (let* ((hex (car (last fields)))
         (form (and (member operation '("validate" "decode") :test #'string=) (not (find #\, hex))
                    (format-of encoding (if (string= operation "decode") (first fields) "strict")))))
    (cond
      ((string= operation "encode")
       (if (string= (first fields) "strict") (encoded (format-of encoding "strict") (numbers hex)) "skip not offered"))
      ((null form) "skip not offered")
      (t
        (handler-case
            (let ((text (sb-ext:octets-to-string (bytes hex) :external-format form)))
              (if (string= operation "validate") "ok"
                  (format nil "ok ~:[~{~X~^,~}~;-~]" (string= text "") (map 'list #'char-code text))))
          (error () "error"))))))

(loop for line = (read-line *standard-input* nil) while line
      do (let ((words (words line)))
           (if (string= (first words) "hello")
               (format t "hello assay/1 sbcl ~A encodings=utf-8,utf-16le,utf-16be policies=strict,own ops=validate,decode,encode chunks=no~%" (lisp-implementation-version))
               (format t "~A ~A~%" (first words) (apply #'answer (rest words))))
           (finish-output)))
